import type { SampleRequest } from './sample-request.ts';
import { csharpSample } from './csharp.ts';
import { curlSample } from './curl.ts';
import { nodeSample } from './node.ts';
import { phpSample } from './php.ts';
import { pythonSample } from './python.ts';
import { codeBlock } from '../../highlight.ts';
import { html, type Html } from '../../../pages/html.ts';

export interface Language {
  name: string;
  /** The language's name for the highlighter and Markdown. */
  syntax: string;
  write: (request: SampleRequest) => string;
}

export const LANGUAGES: readonly Language[] = [
  { name: 'curl', syntax: 'bash', write: curlSample },
  { name: 'Node', syntax: 'javascript', write: nodeSample },
  { name: 'Python', syntax: 'python', write: pythonSample },
  { name: 'PHP', syntax: 'php', write: phpSample },
  { name: 'C#', syntax: 'csharp', write: csharpSample },
];

/** The request in each language. One language is shown at a time, chosen by radio buttons without a script. */
export function sampleTabs(request: SampleRequest): Html {
  return html`<div class="samples">
    <fieldset class="tabs">
      <legend class="unseen">Language of the sample</legend>
      ${LANGUAGES.map(({ name, syntax }, index) => choice(name, syntax, index === 0))}
    </fieldset>
    ${LANGUAGES.map(
      ({ syntax, write }) =>
        html`<div class="sample in-${syntax}">${codeBlock(write(request), syntax)}</div>`,
    )}
  </div>`;
}

function choice(name: string, syntax: string, isChosen: boolean): Html {
  return html`<input
      type="radio"
      name="language"
      id="in-${syntax}"
      value="${syntax}"
      ${isChosen && 'checked'}
    /><label for="in-${syntax}">${name}</label>`;
}
