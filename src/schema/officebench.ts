import { z } from 'zod';

/** Position of a cell, from 1; upstream writes numbers and digit strings alike. */
const Position = z.union([z.number().int().positive(), z.string().regex(/^[1-9]\d*$/)]).transform(Number);
const Person = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
const UpstreamPath = z.string().min(1).max(512);
const Keywords = z.array(z.string().min(1)).min(1);
const FileDocType = z.enum(['txt', 'ics', 'doc', 'docx', 'pdf', 'xlsx']);

const ContainArguments = z.union([
  z.object({ doc_type: z.literal('email'), username: Person, keywords: Keywords }),
  z.object({ doc_type: FileDocType, file: UpstreamPath, keywords: Keywords }),
]);
const FileArguments = z.object({ file: UpstreamPath });

/** One entry of `evaluation`, as upstream writes it. Some lack the file they are about; keys beside `args` are ignored. */
export const UpstreamItem = z.discriminatedUnion('function', [
  z.object({ function: z.literal('evaluate_contain'), args: ContainArguments }),
  z.object({ function: z.literal('evaluate_not_contain'), args: ContainArguments }),
  z.object({ function: z.literal('evaluate_file_exist'), args: FileArguments }),
  z.object({ function: z.literal('evaluate_file_not_exist'), args: FileArguments }),
  z.object({
    function: z.literal('evaluate_excel_cell_value'),
    args: z.object({
      file: UpstreamPath.optional(),
      matches: z.array(z.object({ row: Position, col: Position, value: z.coerce.string() })).min(1),
    }),
  }),
  z.object({
    function: z.literal('evaluate_excel_cell_comparator'),
    args: z.object({
      file: UpstreamPath.optional(),
      /** `comparator` is Python source; only a membership test in a list of strings is understood, and none is run. */
      matches: z.array(z.object({ row: Position, col: Position, comparator: z.string() })).min(1),
    }),
  }),
  z.object({
    function: z.literal('evaluate_exact_match'),
    args: z.object({ doc_type: FileDocType, result_file: UpstreamPath, expected_file: UpstreamPath }),
  }),
  z.object({
    function: z.literal('evaluate_diff_contain_text'),
    args: z.object({
      doc_type: FileDocType,
      input_file: UpstreamPath,
      output_file: UpstreamPath,
      keywords: Keywords,
    }),
  }),
  z.object({ function: z.literal('evaluate_calendar_no_overlap'), args: z.object({ username: Person }) }),
]);
export type UpstreamItem = z.infer<typeof UpstreamItem>;

/** `tasks/<A-B>/subtasks/<N>.json` of OfficeBench. */
export const UpstreamSubtask = z.object({
  username: Person,
  date: z.string().min(1),
  weekday: z.string().min(1),
  time: z.string().min(1),
  task: z.string().min(1),
  evaluation: z.array(UpstreamItem).min(1),
});
export type UpstreamSubtask = z.infer<typeof UpstreamSubtask>;

/** Slash-separated, without `.` and `..`, below the working directory (outputs) or the tests folder (references). */
const RelativePath = z.string().min(1);
const DocType = z.enum(['email', ...FileDocType.options]);

const Contained = {
  doc_type: DocType,
  /** null for mail, which is read from the mailbox of `username`. */
  file: RelativePath.nullable(),
  username: z.string().nullable(),
  keywords: z.array(z.string()),
};

/** One evaluation item with its paths rewritten. `file` is null where upstream forgot it. */
export const SpecItem = z.discriminatedUnion('function', [
  z.strictObject({ function: z.literal('contain'), ...Contained }),
  z.strictObject({ function: z.literal('not_contain'), ...Contained }),
  z.strictObject({ function: z.literal('file_exist'), file: RelativePath }),
  z.strictObject({ function: z.literal('file_not_exist'), file: RelativePath }),
  z.strictObject({
    function: z.literal('excel_cell_value'),
    file: RelativePath.nullable(),
    matches: z.array(z.strictObject({ row: z.number(), col: z.number(), value: z.string() })),
  }),
  z.strictObject({
    function: z.literal('excel_cell_comparator'),
    file: RelativePath.nullable(),
    matches: z.array(z.strictObject({ row: z.number(), col: z.number(), one_of: z.array(z.string()) })),
  }),
  z.strictObject({
    function: z.literal('exact_match'),
    doc_type: FileDocType,
    result: RelativePath,
    /** Below the tests folder. */
    expected: RelativePath,
  }),
  z.strictObject({
    function: z.literal('diff_contain_text'),
    doc_type: FileDocType,
    /** Below the tests folder. */
    input: RelativePath,
    output: RelativePath,
    keywords: z.array(z.string()),
  }),
  z.strictObject({ function: z.literal('calendar_no_overlap'), username: z.string() }),
]);
export type SpecItem = z.infer<typeof SpecItem>;

/** `tests/spec.json` of an imported task, version 1. `strict` mode is reserved and not written yet. */
export const OfficeBenchSpec = z.strictObject({
  version: z.literal(1),
  mode: z.enum(['faithful', 'strict']),
  sourceId: z.string(),
  canary: z.string(),
  items: z.array(SpecItem).min(1),
});
export type OfficeBenchSpec = z.infer<typeof OfficeBenchSpec>;
