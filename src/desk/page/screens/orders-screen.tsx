import type { JSX } from 'preact';
import { t } from '../../../core/language.ts';
import { say } from '../language.ts';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { OrdersPart } from './orders/orders-part.tsx';
import { RefreshPart } from './orders/refresh-part.tsx';

const TITLE = t('Purchase orders and refreshing', 'Inkooporders en verversen');

/** What the service is asked to do by number: send purchase orders, and refresh events. */
export function OrdersScreen(): JSX.Element {
  return (
    <>
      <ScreenTitle title={say(TITLE)} />
      <div class="calls-screen">
        <OrdersPart />
        <RefreshPart />
      </div>
    </>
  );
}
