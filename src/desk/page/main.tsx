import { render } from 'preact';
import { App } from './app.tsx';
import { startDesk } from './desk.ts';

// A file that is dropped beside a place for it is not to be opened instead of the page.
for (const name of ['dragover', 'drop'] as const) addEventListener(name, (event) => event.preventDefault());

const place = document.getElementById('desk');
if (place !== null) {
  render(<App />, place);
  await startDesk();
}
