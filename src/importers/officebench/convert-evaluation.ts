import type { SpecItem, UpstreamItem } from '../../schema/officebench.ts';
import { packagePath, UnsafePath } from './source-path.ts';

/** An evaluation item that means nothing this importer knows. */
export class UnknownEvaluation extends Error {}

/** Rewrites the paths of one item. Throws `UnsafePath` or `UnknownEvaluation`. */
export function convertItem(item: UpstreamItem): SpecItem {
  switch (item.function) {
    case 'evaluate_contain':
      return { function: 'contain', ...contained(item.args) };
    case 'evaluate_not_contain':
      return { function: 'not_contain', ...contained(item.args) };
    case 'evaluate_file_exist':
      return { function: 'file_exist', file: output(item.args.file) };
    case 'evaluate_file_not_exist':
      return { function: 'file_not_exist', file: output(item.args.file) };
    case 'evaluate_excel_cell_value':
      return { function: 'excel_cell_value', file: optionalOutput(item.args.file), matches: item.args.matches };
    case 'evaluate_excel_cell_comparator':
      return {
        function: 'excel_cell_comparator',
        file: optionalOutput(item.args.file),
        matches: item.args.matches.map(({ row, col, comparator }) => ({ row, col, one_of: members(comparator) })),
      };
    case 'evaluate_exact_match': {
      const { doc_type, result_file, expected_file } = item.args;
      return { function: 'exact_match', doc_type, result: output(result_file), expected: reference(expected_file) };
    }
    case 'evaluate_diff_contain_text': {
      const { doc_type, input_file, output_file, keywords } = item.args;
      return {
        function: 'diff_contain_text',
        doc_type,
        input: reference(input_file),
        output: output(output_file),
        keywords,
      };
    }
    case 'evaluate_calendar_no_overlap':
      return { function: 'calendar_no_overlap', username: item.args.username };
  }
}

type ContainArguments = Extract<UpstreamItem, { function: 'evaluate_contain' }>['args'];

function contained(args: ContainArguments) {
  const { doc_type, keywords } = args;
  return 'username' in args
    ? { doc_type, file: null, username: args.username, keywords }
    : { doc_type, file: output(args.file), username: null, keywords };
}

function output(path: string): string {
  const place = packagePath(path);
  if (place.kind !== 'output') throw new UnsafePath(path);
  return place.path;
}

function optionalOutput(path: string | undefined): string | null {
  return path === undefined ? null : output(path);
}

/** An input that upstream names directly is read from its untouched copy. */
function reference(path: string): string {
  const place = packagePath(path);
  return place.kind === 'tests' ? place.path : `pristine/${place.path}`;
}

const membership = /^lambda (\w+): \1 in \[((?:'[^'\\]*'(?:, )?)+)\]$/;

/** The strings of `lambda x: x in ['1', '2']`: the one comparator there is, read and never run. */
function members(comparator: string): string[] {
  const list = membership.exec(comparator)?.[2];
  if (list === undefined)
    throw new UnknownEvaluation(`comparator ${JSON.stringify(comparator)} is not a list of values`);
  return [...list.matchAll(/'([^']*)'/g)].map((match) => match[1] ?? '');
}
