import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/** The SDK's runtime, telling errors alone and leaving signals to the test; once in a process. */
export function installQuietRuntime(): void {
  if (installed) return;
  installed = true;
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
}
