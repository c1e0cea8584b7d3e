import { inSlices } from '../../../db/connection/work-slices.ts';

/** `JSON.stringify` of an answer whose lists are long, which lets other requests go on in between. @param clinic whose slices it takes */
export async function jsonInSlices(clinic: string, body: unknown): Promise<string> {
  if (!isPlainObject(body) || !Object.values(body).some(isLong)) return JSON.stringify(body);
  const members: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    const text = isLong(value) ? await listOf(clinic, value) : JSON.stringify(value);
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join()}}`;
}

async function listOf(clinic: string, items: readonly unknown[]): Promise<string> {
  return `[${(await inSlices(clinic, items, (item) => JSON.stringify(item) ?? 'null')).join()}]`;
}

/** Shorter lists cost less than what this does of them. */
function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 32;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
