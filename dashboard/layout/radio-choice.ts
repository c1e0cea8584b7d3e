import { html, type Html, type Part } from '../../pages/html.ts';

export interface RadioOption {
  value: string;
  label: Part;
  isChosen: boolean;
}

export interface RadioChoice {
  name: string;
  legend: Part;
  options: readonly RadioOption[];
  /** The error message for the submitted value. */
  error?: string | undefined;
  className?: string;
  /** Whether a choice is required. */
  isRequired?: boolean;
  /** Whether browsers may restore the choice when someone goes back; not for a list that may have changed. */
  isFilledInAgain?: boolean;
}

/** Radio buttons. */
export function radioChoice({ name, legend, error, className, ...choice }: RadioChoice): Html {
  return html`<fieldset
    ${className !== undefined && html`class="${className}"`}
    ${error !== undefined && html`aria-describedby="${name}-more"`}
  >
    <legend>${legend}</legend>
    ${error !== undefined && html`<p class="more" id="${name}-more"><strong class="error">${error}</strong></p>`}
    <div class="times">${choice.options.map((option) => radio(name, option, choice))}</div>
  </fieldset>`;
}

export function radio(
  name: string,
  { value, label, isChosen }: RadioOption,
  { isFilledInAgain = false, isRequired = false }: Pick<RadioChoice, 'isFilledInAgain' | 'isRequired'>,
): Html {
  return html`<label class="choice"
    ><input
      type="radio"
      name="${name}"
      value="${value}"
      ${!isFilledInAgain && html`autocomplete="off"`}
      ${isRequired && html`required`}
      ${isChosen && html`checked`}
    />
    <span>${label}</span></label
  >`;
}
