// What a mouse can do in the picture of a day: point at a time, and drag an appointment to another.

const MINUTES_A_ROW = 5;
const ROWS_A_QUARTER = 3;

const rowsOf = (column) => 12 * Number(/\bh(\d+)/.exec(column.closest('.picture').className)?.[1]);

function rowAt(column, y) {
  const { top, height } = column.getBoundingClientRect();
  const rows = rowsOf(column);
  return Math.min(rows - 1, Math.max(0, Math.floor(((y - top) / height) * rows)));
}

function clockAt(column, row) {
  const minutes = Number(column.dataset.hour) * 60 + row * MINUTES_A_ROW;
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

document.addEventListener('pointermove', ({ target, clientY, pointerType }) => {
  const link = pointerType === 'mouse' && target.closest?.('.picture .free a');
  if (!link) return;
  const column = link.closest('ol');
  link.dataset.from ??= link.href;
  const row = rowAt(column, clientY);
  const quarter = row - (row % ROWS_A_QUARTER);
  const isFirst = quarter <= rowAt(column, link.getBoundingClientRect().top + 1);
  const url = new URL(link.dataset.from);
  if (!isFirst) url.searchParams.set('at', `${column.dataset.day}T${clockAt(column, quarter)}`);
  link.href = url.href;
  link.textContent = link.textContent.replace(/\d\d:\d\d/, url.searchParams.get('at').split('T')[1]);
});

/** What is being dragged, and the mark of where it would be dropped. */
let dragged = null;

document.addEventListener('dragstart', ({ target, clientY, dataTransfer }) => {
  const visit = target.closest?.('.picture .visit');
  const move = visit?.querySelector('.move');
  if (!move) return;
  dataTransfer.effectAllowed = 'move';
  const mark = document.createElement('li');
  mark.className = 'dropped';
  const span = Number(/\bs(\d+)/.exec(visit.className)?.[1]);
  dragged = { address: move.href, above: clientY - visit.getBoundingClientRect().top, span, mark };
});

document.addEventListener('dragover', (event) => {
  const column = dragged && event.target.closest?.('.picture ol[data-day]');
  if (!column) return;
  event.preventDefault();
  const { mark, above, span } = dragged;
  const row = rowAt(column, event.clientY - above + 1);
  mark.style.gridRow = `${row + 1} / span ${Math.min(span, rowsOf(column) - row)}`;
  mark.textContent = clockAt(column, row);
  if (mark.parentElement !== column) column.append(mark);
});

/** Nothing is moved yet: the form of the move asks. */
document.addEventListener('drop', (event) => {
  const column = dragged?.mark.parentElement;
  if (!column) return;
  event.preventDefault();
  const { professional, day } = column.dataset;
  const at = `${day}T${dragged.mark.textContent}`;
  window.location.href = `${dragged.address}?${new URLSearchParams({ professional, at }).toString()}`;
});

document.addEventListener('dragend', () => {
  dragged?.mark.remove();
  dragged = null;
});
