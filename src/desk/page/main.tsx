import { render } from 'preact';
import { connection, epoch, startDesk } from './live.ts';
import { Frame } from './pieces/frame.tsx';
import { pathOf, route } from './router.ts';
import { ExportScreen } from './screens/export-screen.tsx';
import { HomeScreen } from './screens/home-screen.tsx';
import { Lost, NoSession } from './screens/nowhere.tsx';
import { FileScreen, RunScreen } from './screens/run-screen.tsx';
import { RunsScreen } from './screens/runs-screen.tsx';
import { ServiceScreen } from './screens/service-screen.tsx';

/** The page: the frame with the screen that the address names, once the server was heard. */
function App() {
  if (connection.value === 'unknown') return <NoSession />;
  // Another address is another screen: nothing of the last one stays, and the heading takes the focus.
  return <Frame>{epoch.value > 0 && <Screen key={pathOf(route.value)} />}</Frame>;
}

const SCREENS = {
  home: HomeScreen,
  runs: RunsScreen,
  export: ExportScreen,
  service: ServiceScreen,
  lost: Lost,
};

function Screen() {
  const shown = route.value;
  if (shown.page === 'file') return <FileScreen {...shown} />;
  if (shown.page === 'run') return <RunScreen asked={{ run: shown.run }} />;
  const Shown = SCREENS[shown.page];
  return <Shown />;
}

// A file that is dropped beside a place for it is not to be opened instead of the page.
for (const name of ['dragover', 'drop'] as const) addEventListener(name, (event) => event.preventDefault());

const place = document.getElementById('desk');
if (place !== null) {
  render(<App />, place);
  await startDesk();
}
