import { assertNever } from '../domain/assert-never.ts';
import type { ModelRequest, ToolCall } from '../schema/model-call.ts';
import type { PolicyBook, TaskPolicy } from '../schema/policy-book.ts';
import type { Behaviour, World } from '../schema/world.ts';
import { chooseBehaviour, deliberationTurns } from './choose-behaviour.ts';
import { CHARACTERS_PER_TOKEN } from './count-tokens.ts';
import { lessonsIn } from './lessons.ts';
import { textOfRole } from './request-text.ts';
import { playbookBullets } from './playbook-bullets.ts';
import type { PlaybookBullet } from './playbook-bullets.ts';
import { recogniseTask } from './recognise-task.ts';
import { textReply } from './reply.ts';
import type { Reply } from './reply.ts';
import { solverDialogue } from './solver-steps.ts';
import type { SolverPlan, SolverStep } from './solver-steps.ts';

/** Share of the output cap that a piece of script may fill: quoting may double it, and a sentence goes with it. */
const PIECE_SHARE = 0.4;
const LONGEST_PIECE = 48_000;

/**
 * The solver's next turn, decided by the messages alone: the turn number is the count of `bash` calls made so far. A
 * request without the `bash` tool, or about no task of the book, gets a plain answer.
 */
export function solve(request: ModelRequest, world: World, book: PolicyBook): Reply {
  const policy = recogniseTask(request, book);
  if (policy === null) return textReply('I do not know this task, so there is nothing I can do for you here.');
  if (!request.tools.some((tool) => tool.name === 'bash')) return textReply('I need a `bash` tool to do this task.');
  const bullets = playbookBullets(textOfRole(request, 'system'));
  const fits = Math.floor(request.sampling.maxOutputTokens * CHARACTERS_PER_TOKEN * PIECE_SHARE);
  const pieceLength = Math.max(1, Math.min(fits, LONGEST_PIECE));
  const plan = planOf(chooseBehaviour(world, policy, bullets, request.seed), policy, pieceLength);
  const weighed = deliberationTurns(world, policy, bullets).map((text) => text.slice(0, pieceLength));
  const steps = solverDialogue(plan, weighed);
  const step = steps[Math.min(turnsTaken(request), steps.length - 1)] ?? { kind: 'submit' };
  return say(step, policy, relevantTo(policy, bullets));
}

function planOf(behaviour: Behaviour, policy: TaskPolicy, pieceLength: number): SolverPlan {
  switch (behaviour) {
    case 'careful':
    case 'careless':
      return { kind: 'script', script: policy[behaviour], pieceLength };
    case 'idle':
      return { kind: 'idle' };
    case 'breaks-off':
      return { kind: 'break-off' };
    default:
      return assertNever(behaviour);
  }
}

function turnsTaken(request: ModelRequest): number {
  return request.messages.filter((message) => message.role === 'assistant' && message.toolCalls.some(isBashCall))
    .length;
}

function isBashCall(call: ToolCall): boolean {
  return call.name === 'bash';
}

/** Rules about this kind of task, whether or not they change anything in the world at hand. */
function relevantTo(policy: TaskPolicy, bullets: readonly PlaybookBullet[]): PlaybookBullet[] {
  return bullets.filter((bullet) => lessonsIn(bullet.content).some((lesson) => lesson.modality === policy.modality));
}

function say(step: SolverStep, policy: TaskPolicy, relevant: readonly PlaybookBullet[]): Reply {
  switch (step.kind) {
    case 'look':
      return { text: ['I look at the inputs first.', cite(relevant)].filter(Boolean).join(' '), command: look(policy) };
    case 'weigh':
      return { text: step.text, command: 'true' };
    case 'write':
      return { text: 'I do the work with a Python script.', command: step.command };
    case 'check':
      return { text: 'I check that the files are there.', command: `ls ${mentioned(policy, anyFile)}`.trimEnd() };
    case 'submit':
      return { text: 'The work is done; I submit it.', command: 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT' };
    case 'break-off':
      return textReply('I stop here: the rules ask for more than I can do.');
    default:
      return assertNever(step);
  }
}

function cite(relevant: readonly PlaybookBullet[]): string {
  if (relevant.length === 0) return '';
  return `From the playbook I follow ${relevant.map((bullet) => `[${bullet.id}]`).join(', ')}.`;
}

const anyFile = fileName('pptx|docx|xlsx|csv|md|txt|json|ics|eml|py');
const textFile = fileName('csv|md|txt|json|ics|eml');

function fileName(extensions: string): RegExp {
  return new RegExp(String.raw`(?<![\w./-])(?:\.?/)?\w[\w./-]*\.(?:${extensions})(?![\w/])`, 'g');
}

/** Names and contents, no times and sizes: what the solver saw goes to the updater, whose prompts depend on the seed alone. */
function look(policy: TaskPolicy): string {
  const texts = mentioned(policy, textFile);
  return texts === '' ? 'ls -A' : `ls -A\nhead -c 400 ${texts} 2>/dev/null || true`;
}

/** File names that the instruction mentions, at most twelve, each once; plain characters only, so safe unquoted. */
function mentioned(policy: TaskPolicy, names: RegExp): string {
  return [...new Set(policy.instruction.match(names) ?? [])].slice(0, 12).join(' ');
}
