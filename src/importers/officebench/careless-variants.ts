import type { Action } from './key-oracle.ts';

/**
 * Typical faults, the most instructive first: the last thing asked for is left out, then a whole file, then everything.
 * Which of them earns nothing has to be found by judging.
 */
export function carelessVariants(actions: readonly Action[]): Action[][] {
  const variants = [
    ...[...actions.keys()]
      .toReversed()
      .map((index) => without(actions, index))
      .filter((variant) => variant !== null)
      .slice(0, 4),
    actions.slice(0, -1),
    [],
  ];
  const seen = new Set<string>();
  return variants.filter((variant) => {
    const text = JSON.stringify(variant);
    return seen.has(text) ? false : seen.add(text) !== undefined;
  });
}

/** The actions with the last line, cell or row of one of them left out; null where that action has none. */
function without(actions: readonly Action[], index: number): Action[] | null {
  const lesser = actions[index] === undefined ? null : reduced(actions[index]);
  return lesser === null ? null : actions.map((action, other) => (other === index ? lesser : action));
}

function reduced(action: Action): Action | null {
  switch (action.do) {
    case 'text':
    case 'document':
    case 'pdf':
    case 'deck':
    case 'mail':
      return { ...action, lines: action.lines.length > 1 ? action.lines.slice(0, -1) : ['to be confirmed'] };
    case 'event':
      return action.lines.length > 0 ? { ...action, lines: action.lines.slice(0, -1) } : null;
    case 'workbook':
      if (action.rows.length > 0) return { ...action, rows: action.rows.slice(0, -1) };
      return action.cells.length > 0 ? { ...action, cells: action.cells.slice(0, -1) } : null;
    case 'new_workbook':
      return action.rows.length > 1 ? { ...action, rows: action.rows.slice(0, -1) } : null;
    case 'drop_rows':
      return { ...action, words: action.words.slice(0, -1) };
    case 'copy':
    case 'image':
    case 'folder':
    case 'remove':
      return null;
  }
}
