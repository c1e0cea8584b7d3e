import { choice, field, longField, tickBox, tickBoxes } from '../../dashboard/layout/form.ts';
import { html, type Html } from '../../pages/html.ts';

const OPTIONS = ['one', 'two', 'three'].map((value) => ({ value, label: value }));
const HINT = 'A hint says what is meant.';
const ERROR = 'An error says what to mend.';

/** Everything that is filled in, empty, filled and wrong. */
export function fieldsPart(): Html {
  const of = (name: string) => ({ name, label: `A ${name}` });
  return html`<form action="#elsewhere">
    ${field({ ...of('text'), hint: HINT })}
    ${field({ ...of('mistake'), value: 'wrong', hint: HINT, error: ERROR })}
    ${field({ ...of('date'), type: 'date', value: '2026-03-05', isRequired: true })}
    ${field({ ...of('moment'), type: 'datetime-local', value: '2026-03-05T10:30' })}
    ${field({ ...of('number'), type: 'number', value: '30' })}
    ${choice({ ...of('list'), options: OPTIONS, value: 'two' })}
    ${longField({ ...of('long text'), name: 'long', value: 'Two\nlines' })}
    ${tickBox({ ...of('box'), value: 'yes', hint: HINT })}
    ${tickBox({ ...of('wrong box'), name: 'bad', error: ERROR })}
    ${tickBoxes({ ...of('choice of several'), name: 'several', value: 'one\nthree', options: OPTIONS })}
    <fieldset>
      <legend>A choice of one</legend>
      <div class="times">
        ${['9:00', '9:30', '10:00'].map(
          (time, at) =>
            html`<label class="choice"
              ><input type="radio" name="time" ${at === 1 && html`checked`} /> ${time}</label
            >`,
        )}
      </div>
    </fieldset>
    <div class="filters">
      ${field({ ...of('filter'), type: 'date' })}
      ${choice({ ...of('list beside'), name: 'beside', options: OPTIONS })}
      <p class="actions"><button class="second">Show</button> <a href="#elsewhere">All</a></p>
    </div>
  </form>`;
}
