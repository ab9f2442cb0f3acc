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

/**
 * Asserts that axe reports nothing, in light and dark mode.
 * @param part selector of the only part to check, when that part covers others whose colours axe cannot judge then
 */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe.source);
    const found = await page.evaluate<
      { id: string; nodes: string[] }[]
    >(`axe.run(${JSON.stringify(part)}).then(({ violations, incomplete }) =>
      [...violations, ...incomplete].map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })))`);
    expect(found, `${page.url()} in ${colorScheme}`).toEqual([]);
  }
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
