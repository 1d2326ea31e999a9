import type { Hold } from './holds.ts';
import { countText } from '../layout/number-text.ts';
import type { LiveView, Need, ServiceView, Status, StatusPass } from './status.ts';

/** Everything about an experiment that a person may have to do something about. */
export interface NeedSources {
  readonly id: string;
  readonly state: Status['state'];
  readonly trouble: NonNullable<LiveView['trouble']> | null;
  readonly holds: readonly Hold[];
  readonly services: readonly ServiceView[];
  readonly passes: readonly StatusPass[];
}

/** What does not go on by itself, most urgent first. A closed experiment needs nothing. */
export function needsOf({ id, state, trouble, holds, services, passes }: NeedSources): Need[] {
  if (state === 'complete' || state === 'cancelled') return [];
  const down = services.filter((service) => service.state === 'stopped').map(({ name }) => name);
  const infra = passes.reduce((sum, pass) => sum + pass.infra, 0);
  return [
    ...(down.length > 0 ? [{ what: `${down.join(', ')} not running`, command: 'anneal up' }] : []),
    ...holds.map(({ error }) => ({
      what: `${error.code} ${error.message}`,
      command: error.next,
      code: error.code,
      ...(error.why === null ? {} : { why: error.why }),
      ...(error.notSpent === null ? {} : { notSpent: error.notSpent }),
    })),
    ...(trouble === null
      ? []
      : [
          {
            what: `${trouble.what} (${countText(trouble.tries, 'try', 'tries')}, goes on trying)`,
            command: trouble.next ?? 'anneal logs worker',
          },
        ]),
    ...(state === 'paused' && holds.length === 0
      ? [{ what: 'paused on request', command: `anneal resume ${id}` }]
      : []),
    ...(state === 'failed' ? [{ what: 'its workflow failed', command: 'anneal logs worker' }] : []),
    ...(state === 'stopped' && down.length === 0 ? [{ what: 'not running', command: `anneal resume ${id}` }] : []),
    ...(infra > 0 && state !== 'running' && holds.length === 0
      ? [{ what: `${countText(infra, 'attempt')} without a score (infrastructure)`, command: `anneal resume ${id}` }]
      : []),
  ];
}

/** The command a person would give next. */
export function nextOf(id: string, state: Status['state'], needs: readonly Need[]): string {
  if (state === 'complete' || state === 'cancelled') return `anneal report ${id}`;
  return needs[0]?.command ?? `anneal watch ${id}`;
}
