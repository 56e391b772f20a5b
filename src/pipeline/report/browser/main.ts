import { fillIn } from '../fill-in.ts';
import { DATA, type ReportHead, type ReportRow } from '../report-data.ts';
import { type RowWish, rowSearch, searchWords } from '../row-filter.ts';
import { markFound } from './mark-found.ts';
import { rowList } from './row-list.ts';

function find<E extends HTMLElement>(id: string, kind: new () => E): E {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${id}`);
}

const head = JSON.parse(find(DATA.head, HTMLScriptElement).text) as ReportHead;
const rows = [...document.querySelectorAll<HTMLScriptElement>(`script.${DATA.rows}`)].flatMap((part) => {
  const own = JSON.parse(part.text) as ReportRow[];
  part.remove();
  return own;
});
const { words } = head;
const number = new Intl.NumberFormat(head.language);
const search = rowSearch(rows, head);

const form = find('filter', HTMLFormElement);
const text = find('search', HTMLInputElement);
const sheet = find('sheet', HTMLSelectElement);
const outcome = find('outcome', HTMLSelectElement);
const told = find('told', HTMLElement);
const more = find('more', HTMLButtonElement);
const body = find('rows', HTMLElement);
const list = rowList(body, head, (left) => {
  more.hidden = left === 0;
  more.textContent = fillIn(words.more, { n: number.format(left) });
  markFound(body, searchWords(text.value).parts);
});

function wish(): RowWish {
  const chosen = outcome.value;
  return {
    text: text.value,
    sheet: sheet.value === '' ? null : Number(sheet.value),
    outcome: chosen === '' ? null : chosen === 'remarks' ? chosen : Number(chosen),
  };
}

function refresh(): void {
  const found = search(wish());
  const total = number.format(rows.length);
  const shown = found.length === rows.length ? words.all : words.shown;
  told.textContent =
    found.length === 0 ? words.none : fillIn(shown, { n: number.format(found.length), total });
  form.classList.toggle('filtered', found.length < rows.length);
  list.show(found);
}

/** Shows the rows of a link or a figure: a sheet, an outcome, a row number; what it doesn't name is left open. */
function showOnly(wanted: DOMStringMap): void {
  text.value = wanted.row === undefined ? '' : `#${wanted.row}`;
  sheet.value = wanted.sheet ?? '';
  outcome.value = wanted.outcome ?? '';
  refresh();
  find('list', HTMLElement).scrollIntoView();
  // Not what is typed into: a phone would bring its keyboard.
  find('list-title', HTMLElement).focus({ preventScroll: true });
}

let waiting: number | undefined;
function soon(): void {
  clearTimeout(waiting);
  waiting = setTimeout(refresh, rows.length > 2000 ? 120 : 0);
}

form.hidden = false;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  refresh();
});
form.addEventListener('reset', () => setTimeout(refresh));
text.addEventListener('input', soon);
for (const choice of [sheet, outcome]) choice.addEventListener('change', refresh);
for (const link of document.querySelectorAll<HTMLElement>('a[data-sheet], a[data-outcome]')) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    showOnly(link.dataset);
  });
}
more.addEventListener('click', () => list.more());
const ahead = new IntersectionObserver(
  (seen) => {
    if (more.hidden || !seen.some(({ isIntersecting }) => isIntersecting)) return;
    list.more();
    // Looked at anew: short rows may leave it where it is.
    ahead.unobserve(more);
    ahead.observe(more);
  },
  { rootMargin: '1500px' },
);
ahead.observe(more);
addEventListener('beforeprint', () => list.unfold());
addEventListener('afterprint', () => list.fold());
refresh();
