import { render } from 'preact';
import { connection, epoch, startDesk } from './live.ts';
import { Frame } from './pieces/frame.tsx';
import { route } from './router.ts';
import { ExportScreen } from './screens/export-screen.tsx';
import { HomeScreen } from './screens/home-screen.tsx';
import { Lost, NoSession } from './screens/nowhere.tsx';
import { FileScreen, RunScreen } from './screens/run-screen.tsx';
import { RunsScreen } from './screens/runs-screen.tsx';
import { ServiceScreen } from './screens/service-screen.tsx';

/** The page: the frame with the screen that the address names, once the server was heard. */
function App() {
  if (connection.value === 'unknown') return <NoSession />;
  const { path } = route.value;
  // Another address is another screen: nothing of the last one stays, and the heading takes the focus.
  return <Frame>{epoch.value > 0 && <Screen key={path} path={path} />}</Frame>;
}

const SCREENS: Readonly<Record<string, typeof HomeScreen>> = {
  '/': HomeScreen,
  '/runs': RunsScreen,
  '/export': ExportScreen,
  '/service': ServiceScreen,
};

function Screen({ path }: { readonly path: string }) {
  const [, page, name = '', step] = path.split('/');
  if (page === 'files' && name !== '') return <FileScreen file={name} step={step} />;
  if (page === 'runs' && name !== '') return <RunScreen asked={{ run: name }} />;
  const Shown = SCREENS[path] ?? Lost;
  return <Shown />;
}

// A file that is dropped beside a place for it is not to be opened instead of the page.
for (const name of ['dragover', 'drop'] as const) addEventListener(name, (event) => event.preventDefault());

const place = document.getElementById('desk');
if (place !== null) {
  render(<App />, place);
  await startDesk();
}
