import { started } from './desk.ts';
import { connection } from './live.ts';
import { Frame } from './pieces/frame.tsx';
import { pathOf, route } from './router.ts';
import { ExportScreen } from './screens/export-screen.tsx';
import { FileScreen } from './screens/file-screen.tsx';
import { HomeScreen } from './screens/home-screen.tsx';
import { LostScreen } from './screens/lost-screen.tsx';
import { NoSession } from './screens/no-session.tsx';
import { RunScreen } from './screens/run-screen.tsx';
import { RunsScreen } from './screens/runs-screen.tsx';
import { ServiceScreen } from './screens/service-screen.tsx';

/** The page: the frame with the screen that the address names. */
export function App() {
  if (connection.value === 'unknown') return <NoSession />;
  // Another address is another screen: nothing of the last one stays, and the heading takes the focus.
  return <Frame>{started.value && <Screen key={pathOf(route.value)} />}</Frame>;
}

const SCREENS = {
  home: HomeScreen,
  runs: RunsScreen,
  export: ExportScreen,
  service: ServiceScreen,
  lost: LostScreen,
};

function Screen() {
  const shown = route.value;
  if (shown.page === 'file') return <FileScreen id={shown.file} />;
  if (shown.page === 'run') return <RunScreen id={shown.run} />;
  const Shown = SCREENS[shown.page];
  return <Shown />;
}
