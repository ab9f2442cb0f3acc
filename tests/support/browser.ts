import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { findProgram } from './find-servers.ts';

/** One headless Chromium for the stories of a file. */
export function useBrowser(): { newPage(options?: BrowserContextOptions): Promise<Page> } {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = findProgram('chromium');
    if (!executablePath) throw new Error('REQUIRE_CHROMIUM is set, and there is no chromium in the path');
    browser = await chromium.launch({ executablePath });
  });
  afterAll(() => browser?.close());
  return {
    /** Opens a page with its own cookies. */
    async newPage(options) {
      if (!browser) throw new Error('the browser is there from beforeAll on');
      // A colour in transition has no contrast to measure.
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      return context.newPage();
    },
  };
}

/** Rules of axe whose result depends on colours. The others have the same result in light and dark mode. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Rules of axe whose result depends on the width of the page. The others read the same elements at any width. */
export const LAYOUT_RULES = [...COLOUR_RULES, 'scrollable-region-focusable', 'css-orientation-lock'];

/**
 * Asserts that axe reports nothing, in light and dark mode.
 * @param part selector of the only part to check, when that part covers others whose colours axe cannot judge then
 * @param rules all when absent
 */
export async function expectAccessible(page: Page, part = 'html', rules?: readonly string[]): Promise<void> {
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const options = { runOnly: colorScheme === 'light' ? rules : COLOUR_RULES };
    const found = await page.evaluate<
      { id: string; nodes: string[] }[]
    >(`axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)}).then(({ violations, incomplete }) =>
      [...violations, ...incomplete].map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })))`);
    expect(found, `${page.url()} in ${colorScheme}`).toEqual([]);
  }
}

/** Presses Tab through the whole page, and returns the visible controls that never had the focus. */
export async function unreachableByTab(page: Page): Promise<string[]> {
  const isNew = `(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement.dataset.tabbed) return false;
    activeElement.dataset.tabbed = 'yes';
    return true;
  })()`;
  do await page.keyboard.press('Tab');
  while (await page.evaluate<boolean>(isNew));
  // One button of a group of radios has the focus, and the arrow keys lead to the others.
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
    .filter((control) => control.checkVisibility() && !control.disabled && !control.dataset.tabbed)
    .filter((control) => control.type !== 'radio' || !document.querySelector('input[data-tabbed][name="' + control.name + '"]'))
    .map(({ outerHTML }) => outerHTML)`);
}

/** Presses Tab until the element with this text or label has the focus, as keyboard users do. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(`(() => {
      const { labels, textContent } = document.activeElement;
      return (labels?.[0]?.textContent ?? textContent ?? '').trim();
    })()`);
    if (focused === name) return;
  }
  throw new Error(`the Tab key does not lead to "${name}" on ${page.url()}`);
}
