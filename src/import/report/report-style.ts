/** The style of a report, on a screen, on a phone and on paper. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --soft: #f4f5f3; --line: #d9dcd6; --ink: #1b1f1a; --dim: #596058; --link: #0b5a8a;
  --good: #1d6b32; --warn: #7a4d00; --bad: #a3231c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161916; --soft: #20241f; --line: #3a4039; --ink: #e9ece7; --dim: #a9b1a7; --link: #8cc8ee;
    --good: #9adba5; --warn: #f0c777; --bad: #f5a79f;
  }
}
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 1rem/1.45 system-ui, "Segoe UI", "Liberation Sans", sans-serif; }
main { max-width: 64rem; margin: auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0.25rem 0 1rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; break-after: avoid; }
p { margin: 0.25rem 0; white-space: pre-line; }
a { color: var(--link); }
code { font: 0.9em ui-monospace, Menlo, Consolas, monospace; }
dl { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 0; }
dt, .dim { color: var(--dim); }
dd { margin: 0; }
td p { margin: 0; }
ul { margin: 0; padding-left: 1.1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 1rem 0.35rem 0; border-bottom: 1px solid var(--line); font-weight: 400; }
.counts { overflow-x: auto; overflow-wrap: normal; }
.counts td, .counts thead th { text-align: right; font-variant-numeric: tabular-nums; }
.counts thead th:first-child { text-align: left; }
.counts tr.total > * { font-weight: 600; }
.rows { table-layout: fixed; }
.rows th:first-child { width: 17%; overflow-wrap: break-word; hyphens: auto; }
.rows th:nth-child(2) { width: 28%; }
summary { cursor: pointer; padding: 0.4rem 0; font-weight: 600; }
.state { font-weight: 600; }
.good { color: var(--good); }
.warn { color: var(--warn); }
.bad { color: var(--bad); }
tr:target { background: var(--soft); }
del, ins { text-decoration: none; white-space: pre-wrap; unicode-bidi: isolate; }
del { color: var(--dim); text-decoration: line-through; }
ins { font-weight: 600; }
@media (max-width: 40rem) { th, td { padding-right: 0.5rem; } .rows th:first-child { width: 25%; } }
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --dim: #444; --line: #bbb; --link: #000; --good: #14532d; --warn: #6b4300; --bad: #8f1d17; }
  html { font-size: 8.5pt; }
  main { max-width: none; padding: 0; }
  tr, li { break-inside: avoid; }
  thead { display: table-header-group; }
  ::details-content { content-visibility: visible; display: block; }
}
@page { margin: 14mm 12mm 16mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; } }
`;
