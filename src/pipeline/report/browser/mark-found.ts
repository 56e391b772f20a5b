import { fold } from '../row-filter.ts';

/** Marks every place where one of the words stands in a part of the page, where the browser can; the nodes stay as they are. */
export function markFound(part: HTMLElement, words: readonly string[]): void {
  if (typeof Highlight === 'undefined' || CSS.highlights === undefined) return;
  const marked = new Highlight();
  CSS.highlights.set('found', marked);
  if (words.length === 0) return;
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    for (const range of placesIn(node as Text, words)) marked.add(range);
}

/** Folding may make a letter longer or take it away, so that each folded letter remembers the one it came from. */
function placesIn(node: Text, words: readonly string[]): StaticRange[] {
  let folded = '';
  const from: number[] = [];
  let at = 0;
  for (const letter of node.data) {
    const own = fold(letter);
    folded += own;
    for (let each = 0; each < own.length; each++) from.push(at);
    at += letter.length;
  }
  from.push(at);
  return words.flatMap((word) => {
    const ranges: StaticRange[] = [];
    for (let start = folded.indexOf(word); start >= 0; start = folded.indexOf(word, start + word.length)) {
      const [startOffset = 0, endOffset = at] = [from[start], from[start + word.length]];
      ranges.push(new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset }));
    }
    return ranges;
  });
}
