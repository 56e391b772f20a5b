import type { JSX } from 'preact';
import { started } from './desk.ts';
import { connection } from './live.ts';
import { Frame } from './pieces/frame.tsx';
import { pathOf, route, type Step } from './router.ts';
import { DoneScreen } from './screens/done-screen.tsx';
import { DraftScreen, type StepProps } from './screens/draft-screen.tsx';
import { ExportScreen } from './screens/export-screen.tsx';
import { HomeScreen } from './screens/home-screen.tsx';
import { LostScreen } from './screens/lost-screen.tsx';
import { NoSession } from './screens/no-session.tsx';
import { OrdersScreen } from './screens/orders-screen.tsx';
import { PlanScreen } from './screens/plan-screen.tsx';
import { PlanningScreen } from './screens/planning-screen.tsx';
import { ReadScreen } from './screens/read-screen.tsx';
import { RunScreen } from './screens/run-screen.tsx';
import { RunsScreen } from './screens/runs-screen.tsx';
import { SendScreen } from './screens/send-screen.tsx';
import { ServiceScreen } from './screens/service-screen.tsx';

/** The page: the frame with the screen that the address names. */
export function App(): JSX.Element {
  if (connection.value === 'unknown') return <NoSession />;
  // Another address is another screen: nothing of the last one stays, and the heading takes the focus.
  return <Frame>{started.value && <Screen key={pathOf(route.value)} />}</Frame>;
}

function Screen(): JSX.Element {
  const shown = route.value;
  if (shown.page === 'home') return <HomeScreen />;
  if (shown.page === 'draft')
    return (
      <DraftScreen id={shown.draft} step={shown.step}>
        {(props) => <DraftStep step={shown.step} {...props} />}
      </DraftScreen>
    );
  if (shown.page === 'run') return <RunScreen id={shown.run} />;
  if (shown.page === 'runs') return <RunsScreen />;
  if (shown.page === 'export') return <ExportScreen />;
  if (shown.page === 'orders') return <OrdersScreen />;
  if (shown.page === 'service') return <ServiceScreen />;
  return <LostScreen />;
}

function DraftStep({ step, ...props }: StepProps & { readonly step: Step }): JSX.Element {
  if (step === 'read') return <ReadScreen {...props} />;
  if (step === 'plan' && props.draft.run === null) return <PlanningScreen {...props} />;
  if (step === 'plan') return <PlanScreen {...props} />;
  if (step === 'send') return <SendScreen {...props} />;
  return <DoneScreen {...props} />;
}
