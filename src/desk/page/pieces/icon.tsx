/** Drawn on a field of 16 by 16, in strokes. */
const DRAWN = {
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  right: 'M6 3l5 5-5 5',
  down: 'M3 6l5 5 5-5',
  up: 'M3 10l5-5 5 5',
  file: 'M4 1.8h5.2L12.5 5v9.2H4zM9 2v3.3h3.3',
  sheet: 'M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6.2 3v10',
  drop: 'M8 10.5v-8M4.7 5.6 8 2.4l3.3 3.2M2.5 10v3.5h11V10',
  download: 'M8 2.5v8M4.7 7.3 8 10.5l3.3-3.2M2.5 10.5v3h11v-3',
  warning: 'M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.4v.4',
  play: 'M5 3.2v9.6l7.5-4.8z',
  undo: 'M5.5 3 2.5 6l3 3M2.7 6h6.6a4 4 0 0 1 0 8H6',
} as const;

/** What an icon shows. */
export type IconName = keyof typeof DRAWN;

/** A small drawing beside a text, which says the same: it is not read out. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={DRAWN[name]} />
    </svg>
  );
}
