const SHOW_COPIED_MS = 1500;

/** Each block of code gets a button that copies it. */
export function offerCopies() {
  for (const block of document.querySelectorAll('pre.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(block, button));
    const frame = document.createElement('div');
    frame.className = 'copyable';
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

async function copy(block, button) {
  await navigator.clipboard.writeText(block.textContent);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), SHOW_COPIED_MS);
}

/** Whoever reads Python once wants Python on the next page. */
export function rememberLanguage() {
  const chosen = localStorage.getItem('language');
  for (const choice of document.querySelectorAll('input[name=language]')) {
    if (choice.value === chosen) choice.checked = true;
    choice.addEventListener('change', () => localStorage.setItem('language', choice.value));
  }
}
