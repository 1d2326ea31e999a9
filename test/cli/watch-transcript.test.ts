import { expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { demoRecords } from '../support/demo-story.ts';
import { writeExperiment } from '../support/fake-engine.ts';
import { ledgerView } from '../support/ledger-view.ts';
import { buildLock } from '../support/lock-builder.ts';

/** Six in flight, each a call further than the one before. */
const leases = Array.from({ length: 3 }, (_, pair) =>
  ledgerView.leases.map((lease) => ({ ...lease, usage: { ...lease.usage, calls: lease.usage.calls + pair } })),
)
  .flat()
  .map((lease, index) => ({ ...lease, epoch: index + 1 }));

it('an experiment that is watched on a terminal looks like this, frame by frame', async () => {
  const line = new CommandLine({ ledger: async () => ({ ...ledgerView, leases }) }, { live: true });
  line.engine.lanes = 6;
  writeExperiment(line.home, buildLock(), demoRecords(2));
  line.engine.run = 'running';
  line.engine.stages = Array.from({ length: 9 }, () => demoRecords(2));
  const keys = ['a', 'return', 'down', 'escape', 'l', '9', 'return', 'p', 'x', 'q'];
  line.keys = keys.map((key) => [key]);
  const { transcript } = await line.run('watch', 80);
  line.remove();
  const timeless = (frame: string | undefined): string => (frame ?? '').replace(/searching for .*/, '');
  const frames = line.frames.filter((frame, index) => timeless(frame) !== timeless(line.frames[index - 1]));
  const shown = frames
    .map((frame) => frame.split('\n').map((text) => `  ${text}`.trimEnd()))
    .map((each) => each.join('\n'));
  const [command = '', ...rest] = transcript.split('\n');
  await expect([command, shown.join('\n  ---\n'), ...rest].join('\n')).toMatchFileSnapshot('../transcripts/watch.txt');
});
