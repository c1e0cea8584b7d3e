import { inSlices } from '../../../db/connection/work-slices.ts';

/** Longer texts would each take a large block of memory, whose collection stops the process for longer. */
const PIECE_LENGTH = 64 * 1024;

/**
 * The bytes of `JSON.stringify`, in pieces that are made one by one, so that the text of a long answer is never in memory whole. While
 * long lists are written, other requests go on in between.
 * @param clinic whose slices it takes
 */
export async function jsonInSlices(clinic: string, body: unknown): Promise<Buffer[]> {
  if (!isPlainObject(body) || !Object.values(body).some(isLong)) return [Buffer.from(JSON.stringify(body))];
  const pieces: Buffer[] = [];
  let text = '';
  const write = (more: string) => {
    text += more;
    if (text.length < PIECE_LENGTH) return;
    pieces.push(Buffer.from(text));
    text = '';
  };
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  for (const [at, [name, value]] of members.entries()) {
    write(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    if (isLong(value)) await writeList(clinic, value, write);
    else write(JSON.stringify(value));
  }
  pieces.push(Buffer.from(`${text}}`));
  return pieces;
}

async function writeList(
  clinic: string,
  items: readonly unknown[],
  write: (text: string) => void,
): Promise<void> {
  let before = '[';
  await inSlices(clinic, items, (item) => {
    write(`${before}${JSON.stringify(item) ?? 'null'}`);
    before = ',';
  });
  write(']');
}

/** Shorter lists cost less than what this does of them. */
function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 32;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
