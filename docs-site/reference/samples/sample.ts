import type { RequestExample } from '../operation.ts';
import { csharpSample } from './csharp.ts';
import { curlSample } from './curl.ts';
import { nodeSample } from './node.ts';
import { phpSample } from './php.ts';
import { pythonSample } from './python.ts';

export interface Language {
  name: string;
  /** As the highlighter and Markdown know it. */
  syntax: string;
  write: (request: SampleRequest) => string;
}

/** A request as the samples send it. The key comes from the environment, `API_KEY`. */
export interface SampleRequest extends RequestExample {
  url: string;
}

export const LANGUAGES: readonly Language[] = [
  { name: 'curl', syntax: 'bash', write: curlSample },
  { name: 'Node', syntax: 'javascript', write: nodeSample },
  { name: 'Python', syntax: 'python', write: pythonSample },
  { name: 'PHP', syntax: 'php', write: phpSample },
  { name: 'C#', syntax: 'csharp', write: csharpSample },
];

/** @param baseUrl of the API, without a slash at the end */
export function sampleRequest(example: RequestExample, baseUrl: string): SampleRequest {
  return { ...example, url: `${baseUrl}${example.target}` };
}
