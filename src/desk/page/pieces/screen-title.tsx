import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** The first screen leaves the focus where the browser has it. */
let shownBefore = false;

interface TitleProps {
  /** Names the screen in the tab too. */
  readonly title: string;
  readonly children?: ComponentChildren;
  /** What stands beside it stays in view, however long the screen is. */
  readonly stays?: boolean;
}

/** The heading of a screen: takes the focus when one comes to it, and names the tab. */
export function ScreenTitle({ title, children, stays = false }: TitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // With the screen itself: a key that is struck as it appears must not go to the one before.
  useLayoutEffect(() => {
    if (shownBefore) heading.current?.focus();
    shownBefore = true;
  }, []);
  useEffect(() => {
    document.title = `${title} · catersheet`;
  }, [title]);
  return (
    <div class="screen-title spread">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {stays ? <div class="stays">{children}</div> : children}
    </div>
  );
}
