import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HISTORIES = join(import.meta.dirname, '..', 'histories');

/** One run of a workflow, as the server wrote it. */
export interface RecordedHistory {
  workflowId: string;
  events: object[];
}

/** By name; `earlier/…` are those that earlier versions have left. */
export function recordedHistories(): Map<string, RecordedHistory> {
  const files = readdirSync(HISTORIES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.json'),
  );
  return new Map(files.sort().map((file) => [file.slice(0, -'.json'.length), read(file)]));
}

function read(file: string): RecordedHistory {
  return JSON.parse(readFileSync(join(HISTORIES, file), 'utf8'));
}

/** One event a line; who ran it and where its code stood is no one's business. */
export function writeHistory(name: string, { workflowId, events }: RecordedHistory): void {
  const lines = events.map((event) => JSON.stringify(event, withoutMachine));
  const text = `{"workflowId":${JSON.stringify(workflowId)},"events":[\n${lines.join(',\n')}\n]}\n`;
  writeFileSync(join(HISTORIES, `${name}.json`), text);
}

function withoutMachine(key: string, value: unknown): unknown {
  // The queue of a single process is named after it and its host.
  if (key === 'identity' || /^\d+@/.test(String(value))) return 'worker';
  return key === 'stackTrace' ? undefined : value;
}
