import { lintLeaks } from '../../domain/leak-lint.ts';
import { utf8Length } from '../../domain/utf8-length.ts';
import type { LeakTerms } from '../../schema/evidence.ts';
import type { Finding } from '../step-machine.ts';
import { bulletContent } from './bullet-content.ts';
import { readOperation, type Operation } from './operation.ts';
import { type Bullet, bulletsOf, lastId, mapBullets, nextIdOf, type Playbook } from './playbook.ts';
import { renderPlaybook } from './render-playbook.ts';
import { chooseSection, sectionKey, withSection } from './sections.ts';

/** What the experiment allows a curator. */
export interface DeltaRules {
  readonly curatorOps: readonly string[];
  /** Cap on the whole playbook's UTF-8 bytes. */
  readonly playbookBytes: number;
  /** Smallest number a new id may carry; the greatest number in the playbook + 1 holds if it is larger. */
  readonly nextId: number;
  readonly leakTerms: LeakTerms;
}

/** The playbook after a delta, unchanged where nothing was applied; `nextId` is the smallest number still unused. */
export interface DeltaOutcome {
  readonly playbook: Playbook;
  readonly nextId: number;
  /** Operations that took effect. */
  readonly applied: number;
  /** Operations that did not; each has a finding. */
  readonly refused: number;
  readonly findings: readonly Finding[];
}

/**
 * Applies a curator's operations one by one; a bad one is a finding and the others still count. A delta that would
 * take the playbook over its cap is refused whole: nothing is ever truncated. Never throws.
 */
export function applyDelta(playbook: Playbook, operations: readonly unknown[], rules: DeltaRules): DeltaOutcome {
  const start = Math.max(rules.nextId, nextIdOf(playbook));
  let state: Applied = { playbook, nextId: start };
  const findings: Finding[] = [];
  let applied = 0;
  operations.forEach((raw, index) => {
    const read = readOperation(raw, rules.curatorOps);
    const step = read.kind === 'refused' ? read : perform(state, read.operation, rules.leakTerms);
    if (step.kind === 'refused') {
      findings.push({ code: 'operation-refused', text: `operation ${index + 1}: ${step.why}` });
      return;
    }
    if (step.note !== null) findings.push({ code: 'operation-noted', text: `operation ${index + 1}: ${step.note}` });
    state = step.state;
    applied += 1;
  });
  const bytes = utf8Length(renderPlaybook(state.playbook));
  if (applied > 0 && bytes > rules.playbookBytes) {
    const text = `the playbook would have ${bytes} bytes, its cap is ${rules.playbookBytes}; all ${operations.length} operations refused`;
    return {
      playbook,
      nextId: start,
      applied: 0,
      refused: operations.length,
      findings: [{ code: 'delta-refused', text }],
    };
  }
  return { ...state, applied, refused: operations.length - applied, findings };
}

interface Applied {
  readonly playbook: Playbook;
  readonly nextId: number;
}

type Step =
  | { readonly kind: 'applied'; readonly state: Applied; readonly note: string | null }
  | { readonly kind: 'refused'; readonly why: string };

function perform(state: Applied, operation: Operation, leakTerms: LeakTerms): Step {
  const { playbook } = state;
  if (operation.type === 'DELETE') {
    if (bulletOf(playbook, operation.id) === undefined) return missing(operation.id);
    return changed(
      state,
      mapBullets(playbook, (bullet) => (bullet.id === operation.id ? null : bullet)),
    );
  }
  const checked = bulletContent(operation.content);
  if (checked.kind === 'refused') return checked;
  const { content } = checked;
  const leaks = lintLeaks(content, leakTerms);
  if (leaks.length > 0) return { kind: 'refused', why: `content quotes feedback: ${leaks.join(', ')}` };
  if (bulletsOf(playbook).some((bullet) => bullet.content === content)) {
    return { kind: 'refused', why: 'the playbook holds this rule already' };
  }
  if (operation.type === 'UPDATE') {
    if (bulletOf(playbook, operation.id) === undefined) return missing(operation.id);
    return changed(
      state,
      mapBullets(playbook, (bullet) => (bullet.id === operation.id ? { ...bullet, content } : bullet)),
    );
  }
  if (state.nextId > lastId) return { kind: 'refused', why: 'no bullet id is left' };
  return operation.type === 'ADD' ? add(state, operation.section, content) : merge(state, operation.ids, content);
}

function add(state: Applied, wanted: string, content: string): Step {
  const section = chooseSection(state.playbook, wanted);
  const playbook = append(withSection(state.playbook, section.name), section.name, {
    kind: 'bullet',
    id: `${section.slug}-${String(state.nextId).padStart(5, '0')}`,
    helpful: 0,
    harmful: 0,
    content,
  });
  const note = section.known ? null : 'section is unknown; the rule went to OTHERS';
  return { kind: 'applied', state: { playbook, nextId: state.nextId + 1 }, note };
}

/** The merged rule takes the first one's place and slug, a new number, and the sum of the counters. */
function merge(state: Applied, ids: readonly string[], content: string): Step {
  const merged = ids.map((id) => bulletOf(state.playbook, id));
  const absent = ids.find((_, index) => merged[index] === undefined);
  if (absent !== undefined) return missing(absent);
  const [first = ''] = ids;
  const sum = (key: 'helpful' | 'harmful'): number => merged.reduce((total, bullet) => total + (bullet?.[key] ?? 0), 0);
  const replacement: Bullet = {
    kind: 'bullet',
    id: `${first.slice(0, first.lastIndexOf('-'))}-${String(state.nextId).padStart(5, '0')}`,
    helpful: sum('helpful'),
    harmful: sum('harmful'),
    content,
  };
  const playbook = mapBullets(state.playbook, (bullet) => {
    if (bullet.id === first) return replacement;
    return ids.includes(bullet.id) ? null : bullet;
  });
  return { kind: 'applied', state: { playbook, nextId: state.nextId + 1 }, note: null };
}

function append(playbook: Playbook, name: string, bullet: Bullet): Playbook {
  const target = playbook.sections.findIndex(
    (section) => section.name !== null && sectionKey(section.name) === sectionKey(name),
  );
  return {
    sections: playbook.sections.map((section, index) =>
      index === target ? { name: section.name, lines: [...section.lines, bullet] } : section,
    ),
  };
}

function bulletOf(playbook: Playbook, id: string): Bullet | undefined {
  return bulletsOf(playbook).find((bullet) => bullet.id === id);
}

function changed({ nextId }: Applied, playbook: Playbook): Step {
  return { kind: 'applied', state: { playbook, nextId }, note: null };
}

function missing(id: string): Step {
  return { kind: 'refused', why: `the playbook has no ${id.slice(0, 40)}` };
}
