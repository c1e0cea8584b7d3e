import { codeBlock } from '../../highlight.ts';
import { html, type Html } from '../../../pages/html.ts';
import { LANGUAGES, type SampleRequest } from './sample.ts';

/** The request in each language, one shown at a time: radio buttons choose, without a script. */
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
