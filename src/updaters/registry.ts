import { aceUpdater } from './ace/ace.ts';
import { staticUpdater } from './static.ts';
import type { Updater } from './step-machine.ts';

const updaters = { static: staticUpdater, ace: aceUpdater } as const;

/** The method that an arm names. Safe inside a workflow. */
export function updaterOf({ updater }: { readonly updater: keyof typeof updaters }): Updater {
  return updaters[updater];
}
