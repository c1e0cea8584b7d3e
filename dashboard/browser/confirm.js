// Asks before a form that cannot be undone easily is sent, with the button's own words.

const agreed = new WeakSet();

/** Whether the form may be sent now; otherwise a dialog asks, and sends it when someone agrees. */
export function isAgreed(form, submitter) {
  const { confirm: question, keep } = form.dataset;
  if (!question || agreed.delete(form)) return true;
  const dialog = document.body.appendChild(document.createElement('dialog'));
  const text = Object.assign(document.createElement('p'), { textContent: question, id: 'question' });
  dialog.setAttribute('aria-labelledby', text.id);
  const answers = Object.assign(document.createElement('form'), { method: 'dialog', className: 'actions' });
  const verb = submitter.textContent.trim();
  answers.append(
    answer({ textContent: keep, className: 'second', value: '' }),
    answer({ textContent: verb, className: submitter.className, value: 'yes' }),
  );
  dialog.append(text, answers);
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (dialog.returnValue !== 'yes') return;
    agreed.add(form);
    form.requestSubmit(submitter);
  });
  dialog.showModal();
  return false;
}

function answer(properties) {
  return Object.assign(document.createElement('button'), properties);
}
