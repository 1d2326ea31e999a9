/** A command line, without `anneal`, and what it is for. */
type Example = readonly [line: string, purpose: string];

/** Examples that close the help of each command; keys are the command's words. */
export const commandExamples: Readonly<Record<string, readonly Example[]>> = {
  demo: [
    ['demo', 'run it and watch it to its report'],
    ['demo --detach', 'run it in the background; come back with: anneal watch'],
  ],
  run: [
    ['run experiments/ace.yaml', 'run it, or go on with it where it stopped'],
    ['run experiments/ace.yaml -n 4', 'with four attempts at a time'],
    ['run experiments/ace.yaml --detach', 'in the background; come back with: anneal watch'],
  ],
  status: [
    ['status', 'the experiment that is open, else the newest'],
    ['status exp_41d0', 'the one whose id begins so'],
    ['status --json', 'for programs'],
  ],
  watch: [
    ['watch', 'the newest experiment'],
    ['watch demo', 'the one of that name'],
  ],
  report: [
    ['report', 'the tables of the newest experiment'],
    ['report demo --format md,csv -o reports', 'as files'],
  ],
  diff: [
    ['diff', 'from H0 to the chosen revision'],
    ['diff h0..cand-2', 'between two revisions of the newest experiment'],
    ['diff exp_41d0 ace/cand-1..ace/cand-2', 'of another one with several arms'],
  ],
  list: [['list --json', 'every experiment, for programs']],
  logs: [
    ['logs gateway -f', 'what the gateway says, as it says it'],
    ['logs office-mini/p2', 'what is on record of the attempts on a task'],
  ],
  pause: [['pause', 'the newest experiment; go on with: anneal resume']],
  resume: [
    ['resume', 'go on with the newest experiment'],
    ['resume demo -n 4', 'with four attempts at a time from now on'],
  ],
  cancel: [['cancel exp_41d0', 'end it; its report covers what was scored']],
  close: [['close exp_41d0', 'open the sealed records of one that will not go on']],
  show: [
    ['show office-mini/p2', 'the attempts on a task, step by step'],
    ['show 3f2a91c0', 'the one whose key begins so'],
  ],
  audit: [
    ['audit', 'the newest experiment, before its numbers are shown to anybody'],
    ['audit exp_41d0 --json', 'for programs: exit code 6 and the checks that failed'],
  ],
  rejudge: [
    ['rejudge', 'every failed judgement of the newest experiment'],
    ['rejudge office-mini/p2', 'that of one task'],
  ],
  up: [['up', 'before anything else, or after a reboot']],
  down: [
    ['down', 'stop when the attempts in flight are done'],
    ['down --now', 'stop them too; they go on at the next anneal up'],
  ],
  doctor: [
    ['doctor', 'what works here, and the fix for what does not'],
    ['doctor --live experiments/ace.yaml', 'the models of an experiment too, with three small calls each'],
  ],
  tasks: [['tasks audit', 'the built-in pack']],
  'tasks audit': [
    ['tasks audit', 'the built-in pack'],
    ['tasks audit my-tasks', 'every task directory of a folder'],
  ],
  import: [['import officebench ../OfficeBench --out officebench-tasks', 'from a checkout of the benchmark']],
  'import officebench': [
    ['import officebench ../OfficeBench --out officebench-tasks', 'from a checkout of the benchmark'],
  ],
};
