/** Every line but the first moved to the right. */
export function indent(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** The file that uploads send. */
export const SAMPLE_FILE = 'recording.wav';
