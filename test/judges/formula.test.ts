import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { judgesFolder } from '../support/solver-python.ts';
import { runPython } from './run-python.ts';

/** On sheet S: Part, Count, Price = nut 3 0.5 · bolt 1 2 · nut 4 0.25 · Gear 10 12.5, the 10 by override. */
const rows: [string, number | string | boolean | null][] = [
  ['=SUM(B2:B5)', 18],
  ['=SUM(B2:B3,10,{1,2;3,4})', 24],
  ['=-2^2', 4],
  ['=2+3*4^2/2', 26],
  ['=5-2-1', 2],
  ['=(1+2)*-3', -9],
  ['=50%*4', 2],
  ['=1=1', true],
  ['="a"="A"', true],
  ['=B2&"x"&TRUE', '3xTRUE'],
  ['=1/0', '#DIV/0!'],
  ['=1+"x"', '#VALUE!'],
  ['=1+"2"', 3],
  ['=NoSuchName', '#NAME?'],
  ['=SUM(Gone)', '#REF!'],
  ['=NoSheet!A1', '#REF!'],
  ['=IFERROR(1/0,7)', 7],
  ['=IF(B2>2,"yes",1/0)', 'yes'],
  ['=ROUND(2.345,2)', 2.35],
  ['=ROUND(1.005,2)', 1.01],
  ['=ROUND(-2.5,0)', -3],
  ['=ROUNDDOWN(-2.59,1)', -2.5],
  ['=MOD(-3,2)', 1],
  ['=AVERAGE(Rate)', 3.8125],
  ['=INDEX(Rate,2)', 2],
  ["='My sheet'!A1", 6],
  ['=SUMIF(A2:A5,"nut",B2:B5)', 7],
  ['=SUMIFS(B2:B5,A2:A5,"nut",C2:C5,"<0.4")', 4],
  ['=COUNTIF(A2:A5,"n*")', 2],
  ['=COUNTIF(B2:B5,"<>1")', 3],
  ['=AVERAGEIF(A2:A5,"bolt",C2:C5)', 2],
  ['=SUMPRODUCT(B2:B5,C2:C5)', 129.5],
  ['=SUMPRODUCT((A2:A5="nut")*(B2:B5>3))', 1],
  ['=VLOOKUP("bolt",A2:C5,3,FALSE)', 2],
  ['=VLOOKUP("none",A2:C5,3,FALSE)', '#N/A'],
  ['=INDEX(B2:B5,MATCH("gear",A2:A5,0))', 10],
  ['=XLOOKUP("bolt",A2:A5,C2:C5,"none")', 2],
  ['=SUM(Parts[Count])', 18],
  ['=Parts[[#This Row],[Price]]*2', 4],
  ['=SUM(Parts[Gone])', 'unsupported'],
  ['=SUM(B:B)', 18],
  ['=ROW()', 3],
  ['=ROWS(B2:B5)', 4],
  ['=SMALL(IF(A2:A5="nut",B2:B5),2)', 4],
  ['=TEXT(1234.5,"#,##0.00")', '1,234.50'],
  ['=TEXT(0.125,"0.0%")', '12.5%'],
  ['=TEXT(DATE(2025,3,1),"yyyy-mm-dd")', '2025-03-01'],
  ['=EOMONTH(DATE(2025,1,31),1)', 45_716],
  ['=TRIM("  a  b ")', 'a b'],
  ['=SUBSTITUTE("a-b-c","-","+",2)', 'a-b+c'],
  ['=J3', 'unsupported'],
  ['=NOW()', 'unsupported'],
  ['=INDIRECT("B2")', 'unsupported'],
  ['=OFFSET(B2,1,0)', 'unsupported'],
  ['=WEBSERVICE("x")', 'unsupported'],
  ['=SUM(B2:B3', 'unsupported'],
];

let values: unknown[] = [];

beforeAll(async () => {
  const script = join(import.meta.dirname, 'evaluate_formulas.py');
  values = JSON.parse(
    await runPython(script, [judgesFolder], JSON.stringify(rows.map(([formula]) => formula))),
  ) as unknown[];
});

describe('a formula comes to what Excel shows, or is said to be unsupported', () => {
  it.each(rows)('%s', (formula, expected) => {
    expect(rounded(values[rows.findIndex(([known]) => known === formula)])).toEqual(rounded(expected));
  });
});

/** Numbers to nine decimals; anything else as it is. */
function rounded(value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1e9) / 1e9 : value;
}
