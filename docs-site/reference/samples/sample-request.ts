import type { RequestExample } from '../operation.ts';

/** A request as the samples send it. The key comes from the environment, `API_KEY`. */
export interface SampleRequest extends RequestExample {
  url: string;
}

/** @param baseUrl the API's address, without a trailing slash */
export function sampleRequest(example: RequestExample, baseUrl: string): SampleRequest {
  return { ...example, url: `${baseUrl}${example.target}` };
}

/** Indents every line except the first. */
export function indent(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** The file that uploads send. */
export const SAMPLE_FILE = 'recording.wav';
