import { MAX_PROBLEMS, type FieldProblem } from '../../domain/service-error.ts';

const DEEPEST = 32;
const MAX_FIELDS = 1000;
const MAX_ELEMENTS = 10_000;

const TOO_DEEP = `must not be nested deeper than ${DEEPEST} levels`;
const TOO_MANY_FIELDS = `must have at most ${MAX_FIELDS} fields, including nested ones`;
const TOO_MANY_ELEMENTS = `must have at most ${MAX_ELEMENTS} items`;
const TOO_LARGE_INTEGER = 'is too large to store exactly: send it as text';
const UNSTORABLE = 'must be valid Unicode text without NUL characters';

/**
 * Stands for a whole number beyond ±(2^53 − 1), which JavaScript would round. No accepted text equals this value,
 * because accepted text never contains NUL.
 */
export const LARGE_INTEGER = '\0large integer';

export interface LimitCheck {
  problems: FieldProblem[];
  /** Checking stopped early: a limit was exceeded or there are 100 problems, so the schema is skipped. */
  isHopeless: boolean;
}

/** The position in the value, and the problems found. */
interface Walk {
  root: string;
  path: string[];
  problems: FieldProblem[];
  /** The number of fields counted so far, and the path length of the value whose fields are counted. */
  fields: number;
  countedAt: number;
}

/** Thrown to stop checking early. */
class Hopeless extends Error {}

/**
 * Checks what schemas do not: the size of a parsed value, text that PostgreSQL cannot store, and numbers and names that
 * would be lost. Stops at a limit or at 100 problems, so that a refusal is cheap: docs/limits.md#fields-and-items
 * @param counted `parts`: fields are counted separately in each member of a body and in each item of its lists
 */
export function checkLimits(value: unknown, root: string, counted: 'parts' | 'whole'): LimitCheck {
  const walk: Walk = { root, path: [], problems: [], fields: 0, countedAt: 0 };
  try {
    visit(value, walk, counted === 'parts' ? visitPart : visit);
    return { problems: walk.problems, isHopeless: false };
  } catch (error) {
    if (!(error instanceof Hopeless)) throw error;
    return { problems: walk.problems, isHopeless: true };
  }
}

type Visit = (value: unknown, walk: Walk) => void;

function visit(value: unknown, walk: Walk, visitMember: Visit = visit): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) report(walk, value === LARGE_INTEGER ? TOO_LARGE_INTEGER : UNSTORABLE);
  } else if (typeof value === 'object' && value !== null) {
    if (walk.path.length === DEEPEST) giveUp(walk, 0, TOO_DEEP);
    if (Array.isArray(value)) visitList(value, walk, visitMember);
    else visitFields(value as Record<string, unknown>, walk, visitMember);
  } else if (value === Infinity || value === -Infinity) {
    report(walk, 'is too large a number: send it as text');
  }
}

/** A member of a body. For a list, each item is counted separately. */
function visitPart(value: unknown, walk: Walk): void {
  if (Array.isArray(value)) visit(value, walk, visitCounted);
  else visitCounted(value, walk);
}

function visitCounted(value: unknown, walk: Walk): void {
  const { fields, countedAt } = walk;
  walk.fields = 0;
  walk.countedAt = walk.path.length;
  visit(value, walk);
  walk.fields = fields;
  walk.countedAt = countedAt;
}

function visitFields(value: Record<string, unknown>, walk: Walk, visitMember: Visit): void {
  for (const name in value) {
    walk.fields += 1;
    if (walk.fields > MAX_FIELDS) giveUp(walk, walk.countedAt, TOO_MANY_FIELDS);
    if (!isStorable(name)) report(walk, UNSTORABLE);
    walk.path.push(name);
    if (name === '__proto__') report(walk, 'cannot be used as a field name');
    visitMember(value[name], walk);
    walk.path.pop();
  }
}

function visitList(list: readonly unknown[], walk: Walk, visitMember: Visit): void {
  if (list.length > MAX_ELEMENTS) giveUp(walk, walk.path.length, TOO_MANY_ELEMENTS);
  for (let at = 0; at < list.length; at++) {
    walk.path.push(String(at));
    visitMember(list[at], walk);
    walk.path.pop();
  }
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function report(walk: Walk, message: string, length = walk.path.length): void {
  walk.problems.push({ path: [walk.root, ...walk.path.slice(0, length)].join('.'), message });
  if (walk.problems.length === MAX_PROBLEMS) throw new Hopeless();
}

function giveUp(walk: Walk, length: number, message: string): never {
  report(walk, message, length);
  throw new Hopeless();
}
