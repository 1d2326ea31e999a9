import { Help, type Argument, type CommandUnknownOpts, type Option } from '@commander-js/extra-typings';
import { commandExamples } from './command-examples.ts';

/** Every option and argument as a sentence, examples at the end of every command's help; `words` are those of the command. */
export function describeHelp(command: CommandUnknownOpts, words = ''): void {
  command.configureHelp({
    optionDescription: (option: Option) => sentence(help.optionDescription(option)),
    argumentDescription: (argument: Argument) => sentence(help.argumentDescription(argument)),
  });
  command.helpCommand(false);
  const examples = commandExamples[words] ?? [];
  if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${exampleLines(examples)}`);
  for (const inner of command.commands) describeHelp(inner, `${words} ${inner.name()}`.trim());
}

const help = new Help();

function sentence(text: string): string {
  const [, words = '', extra = ''] = /^(.*?)( \(default: .*\))?$/s.exec(text) ?? [];
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.${extra}`;
}

function exampleLines(examples: readonly (readonly [string, string])[]): string {
  const width = Math.max(...examples.map(([line]) => line.length));
  return examples.map(([line, purpose]) => `  anneal ${line.padEnd(width)}   ${purpose}`).join('\n');
}
