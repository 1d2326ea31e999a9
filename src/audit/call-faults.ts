import type { BookedCall } from '../contract/ledger-reader.ts';
import { oneLine } from '../domain/one-line.ts';
import { costCeiling, costOf } from '../domain/price.ts';
import { RecordedAnswer, type CallRow } from '../schema/call-row.ts';
import type { Usage } from '../schema/model-call.ts';
import type { ModelPrice } from '../schema/prices.ts';

/** What a row has to say: its own figures beside those that price and answer give. */
type Expected = Partial<Pick<CallRow, Figure>>;
type Figure =
  | 'basis'
  | 'charged'
  | 'reportedInput'
  | 'reportedOutput'
  | 'cacheRead'
  | 'cacheWrite'
  | 'reasoning'
  | 'servedModel'
  | 'reservedMicroUsd'
  | 'chargedMicroUsd';

/** What one request attempt says against its stored answer, its price and its own end; empty for a sound one. */
export function callFaults({ row, price, answer }: BookedCall): string[] {
  if (price === null) return ['its price is gone'];
  const recorded = answer === null ? null : readAnswer(answer);
  if (recorded === 'none') return ['its stored answer is none'];
  const said =
    answer === null || row.responseSha256 !== null ? [] : ['an answer stands beside it that it does not name'];
  // A model that the experiment does not allow is not answered from: what it sent is not kept.
  const unkept = row.state === 'settled' && recorded === null;
  return [
    ...said,
    ...(unkept && row.fault === null ? ['no answer of it is kept'] : []),
    ...differences(row, {
      ...(unkept ? {} : answerGives(recorded)),
      ...endGives(row),
      ...priceGives(row, price),
    }),
  ];
}

function readAnswer(body: string): RecordedAnswer | 'none' {
  try {
    return RecordedAnswer.parse(JSON.parse(body));
  } catch {
    return 'none';
  }
}

function answerGives(answer: RecordedAnswer | null): Expected {
  const response = answer?.kind === 'answered' ? answer.response : null;
  const usage = response?.usage ?? null;
  return {
    reportedInput: usage?.inputTokens ?? null,
    reportedOutput: usage?.outputTokens ?? null,
    cacheRead: usage?.cacheReadTokens ?? null,
    cacheWrite: usage?.cacheWriteTokens ?? null,
    reasoning: usage?.reasoningTokens ?? null,
    servedModel: response === null ? null : oneLine(response.servedModel),
  };
}

/** What its end makes of a row: a rejected one costs nothing, one that told no usage its bound. */
function endGives(row: CallRow): Expected {
  const usage = usageOf(row);
  switch (row.state) {
    case 'reserved':
      return { basis: null, charged: null };
    case 'rejected':
      return { basis: 'rejected', charged: 0 };
    case 'unknown':
      return { basis: 'upperBound', charged: row.reserved };
    case 'settled':
      return usage === null
        ? { basis: 'upperBound', charged: row.reserved }
        : { basis: 'reported', charged: usage.inputTokens + usage.outputTokens };
  }
}

/** Money at the row's own price. Where that is not known, nobody can tell what it cost. */
function priceGives(row: CallRow, price: ModelPrice): Expected {
  const reservedMicroUsd = costCeiling(price, Math.max(0, row.reserved - row.outputCap), row.outputCap);
  const usage = row.state === 'settled' ? usageOf(row) : null;
  const cost = usage === null ? null : costOf(price, usage);
  const charged = { reserved: null, rejected: 0, unknown: reservedMicroUsd, settled: cost ?? reservedMicroUsd };
  return { reservedMicroUsd, chargedMicroUsd: charged[row.state] };
}

function usageOf({ reportedInput, reportedOutput, cacheRead, cacheWrite, reasoning }: CallRow): Usage | null {
  if (reportedInput === null) return null;
  return {
    inputTokens: reportedInput,
    outputTokens: reportedOutput ?? 0,
    cacheReadTokens: cacheRead ?? 0,
    cacheWriteTokens: cacheWrite ?? 0,
    reasoningTokens: reasoning ?? 0,
  };
}

function differences(row: CallRow, expected: Expected): string[] {
  return (Object.keys(expected) as Figure[]).flatMap((figure) =>
    row[figure] === expected[figure]
      ? []
      : [`${figure} is ${String(row[figure])}, its answer, end and price give ${String(expected[figure])}`],
  );
}
