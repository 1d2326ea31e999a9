import { type ExperimentFiles, replaced, validExperiment } from './experiment-files.ts';
import type { Script } from './provider-server.ts';

/** Attempts of the harness pack: 80 calls, 400,000 tokens; `desk/d1` has 60 s of wall time, `desk/d2` has 5 s. */
export const packTasks = { long: 'desk/d1', short: 'desk/d2' } as const;

/** Full reward where out.txt says `right`, in the shape that every task's tests give. */
const judge = `reward=0; [ "$(cat /app/out.txt 2> /dev/null)" = right ] && reward=1
echo $reward > /logs/verifier/reward.txt
cat > /logs/verifier/judge.json << END
{"version": 1, "delivered": true, "deliveryFaults": [], "criteria": [], "reward": $reward, "rewardDeterministic": $reward,
"rewardVisual": null, "vector": {"semantic": $reward, "preservation": null, "interaction": null, "strict": false}}
END
`;

/** The small experiment with a model at `baseUrl` and tests that read one file. */
export function packExperiment(baseUrl: string): ExperimentFiles {
  const served = `    provider: openai\n    baseUrl: ${baseUrl}\n    model: office-1\n`;
  const simulated = '    provider: simulated\n    world: no-transfer\n';
  let files = validExperiment;
  for (const role of ['solver', 'updater']) {
    files = replaced(files, 'experiment.yaml', `  ${role}:\n${simulated}`, `  ${role}:\n${served}`);
  }
  files = replaced(files, 'budgets.yaml', 'calls: 5', 'calls: 80');
  files = replaced(files, 'budgets.yaml', 'tokens: 10000', 'tokens: 400000');
  files = replaced(files, 'budgets.yaml', 'min: 30', 'min: 5');
  files = replaced(files, 'tasks/d1/task.toml', 'timeout_sec = 45.0', 'timeout_sec = 60.0');
  files = replaced(files, 'tasks/d2/task.toml', 'timeout_sec = 45.0', 'timeout_sec = 5.0');
  const tests = ['d1', 'd2'].map((name) => `tasks/${name}/tests/test.sh`);
  for (const path of tests) files = replaced(files, path, 'exit 0\n', judge);
  return files;
}

const faults: Readonly<Record<string, string>> = {
  'provoke: invalid_request': 'invalid_value',
  'provoke: context_overflow': 'context_length_exceeded',
  'provoke: refusal': 'content_filter',
};

/** A model that writes the right file at the first question of a conversation and submits at every other. */
export function packModel(body: Readonly<Record<string, unknown>>): Script {
  const messages = body['messages'] as readonly { readonly role: string; readonly content: unknown }[];
  const system = String(messages[0]?.content).trim();
  const code = faults[system];
  if (code !== undefined) return { kind: 'status', status: 400, body: { error: { message: system, code } } };
  if (system === 'provoke: polite refusal') return { kind: 'refusal' };
  const answered = messages.some(({ role }) => role === 'tool');
  return command(answered ? 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT' : 'ls\nprintf right > out.txt');
}

function command(text: string): Script {
  const call = { id: 'c1', function: { name: 'bash', arguments: JSON.stringify({ command: text }) } };
  return { kind: 'answer', text: 'I act.', toolCalls: [call] };
}
