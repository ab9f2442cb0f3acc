import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { findProgram } from './find-servers.ts';

/** Each page compiles axe again and runs it a few times: optimizing it takes more processor time than it saves. */
const BRIEF_SCRIPTS = '--js-flags=--no-opt --no-maglev';

/** One headless Chromium for the stories of a file. */
export function useBrowser(): { newPage(options?: BrowserContextOptions): Promise<Page> } {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = findProgram('chromium');
    if (!executablePath) throw new Error('REQUIRE_CHROMIUM is set, and there is no chromium in the path');
    browser = await chromium.launch({ executablePath, args: [BRIEF_SCRIPTS] });
  });
  afterAll(() => browser?.close());
  return {
    /** Opens a page with its own cookies. */
    async newPage(options) {
      if (!browser) throw new Error('the browser is there from beforeAll on');
      // A colour in transition has no contrast to measure.
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      return repeatingGoto(await context.newPage());
    },
  };
}

/** Chromium aborts what it loads when a network interface comes or goes, as those of the stories in containers do. */
function repeatingGoto(page: Page): Page {
  const goto: Page['goto'] = page.goto.bind(page);
  page.goto = async (...args) => {
    for (let run = 1; ; run++) {
      try {
        return await goto(...args);
      } catch (error) {
        if (run === MAX_RUNS || !String(error).includes('net::ERR_NETWORK_CHANGED')) throw error;
      }
    }
  };
  return page;
}

const MAX_RUNS = 5;

const require = createRequire(import.meta.url);
/** Minified: each page compiles it. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Rules of axe whose result depends on colours. The others have the same result in light and dark mode. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Rules of axe whose result depends on the width of the page. The others read the same elements at any width. */
const LAYOUT_RULES = [...COLOUR_RULES, 'scrollable-region-focusable', 'css-orientation-lock'];

/**
 * Asserts that axe reports nothing, in light and dark mode.
 * @param part selector of the only part to check, when that part covers others whose colours axe cannot judge then
 */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  await addAxe(page);
  await expectNoFaults(page, 'light', { part });
  await expectNoFaults(page, 'dark', { part, rules: COLOUR_RULES });
}

async function addAxe(page: Page): Promise<void> {
  const session = await sessionOf(page);
  await session.send('Runtime.evaluate', { expression: AXE });
}

async function expectNoFaults(
  page: Page,
  colorScheme: 'light' | 'dark',
  { part = 'html', rules }: { readonly part?: string; readonly rules?: readonly string[] | undefined },
): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const options = { resultTypes: ['violations', 'incomplete'], selectors: false, runOnly: rules };
  const found = await page.evaluate<
    { id: string; nodes: string[] }[]
  >(`axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)}).then(({ violations, incomplete }) =>
    [...violations, ...incomplete].map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })))`);
  expect(found, `${page.url()} in ${colorScheme}`).toEqual([]);
}

/** Sizes of the screens of a desktop with a mouse and of a phone with a touch screen, in px. */
const SCREENS = { desktop: 1440, phone: 390 } as const;

/** A page that changes between the screen of a desktop and that of a phone without loading again. */
export interface Screens {
  /** Changes the width, and the pointer: a mouse or a finger. */
  show(screen: keyof typeof SCREENS, width?: number): Promise<void>;
  /** Sets the size of text that a reader chooses in the browser, in px. */
  setTextSize(px: number): Promise<void>;
  /**
   * Asserts that axe reports nothing on both screens, in light and dark mode, and leaves the phone.
   * @param isWhole true: all rules on both screens; false: all on the desktop in light mode, else those that differ
   */
  expectAccessible(isWhole: boolean): Promise<void>;
}

/** The context of the page must be opened without a viewport. */
export async function screensOf(page: Page): Promise<Screens> {
  const session = await sessionOf(page);
  const show: Screens['show'] = async (screen, width = SCREENS[screen]) => {
    const mobile = screen === 'phone';
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: mobile });
    await session.send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile });
  };
  return {
    show,
    async setTextSize(px) {
      await session.send('Page.setFontSizes', { fontSizes: { standard: px, fixed: px } });
    },
    async expectAccessible(isWhole) {
      await addAxe(page);
      await expectNoFaults(page, 'light', {});
      await expectNoFaults(page, 'dark', { rules: isWhole ? undefined : COLOUR_RULES });
      await show('phone');
      await expectNoFaults(page, 'dark', { rules: COLOUR_RULES });
      await expectNoFaults(page, 'light', { rules: isWhole ? undefined : LAYOUT_RULES });
    },
  };
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();

function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  return session;
}

/** Presses Tab through the whole page, and returns the visible controls that never had the focus. */
export async function unreachableByTab(page: Page): Promise<string[]> {
  await page.evaluate(`document.addEventListener('focusin', ({ target }) => {
    document.documentElement.dataset.round = target.dataset.tabbed ?? '';
    target.dataset.tabbed = 'again';
  })`);
  do await pressTab(page, 20);
  while ((await page.evaluate('document.documentElement.dataset.round')) !== 'again');
  // One button of a group of radios has the focus, and the arrow keys lead to the others.
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
    .filter((control) => control.checkVisibility() && !control.disabled && !control.dataset.tabbed)
    .filter((control) => control.type !== 'radio' || !document.querySelector('input[data-tabbed][name="' + control.name + '"]'))
    .map(({ outerHTML }) => outerHTML)`);
}

/** Presses Tab as fast as the browser reads keys. */
async function pressTab(page: Page, times: number): Promise<void> {
  const session = await sessionOf(page);
  const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
  const press = () => [
    session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
  ];
  await Promise.all(Array.from({ length: times }, press).flat());
}

/** Presses Tab until the element with this text or label has the focus, as keyboard users do. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await pressTab(page, 1);
    const focused = await page.evaluate<string>(`(() => {
      const { labels, textContent } = document.activeElement;
      return (labels?.[0]?.textContent ?? textContent ?? '').trim();
    })()`);
    if (focused === name) return;
  }
  throw new Error(`the Tab key does not lead to "${name}" on ${page.url()}`);
}
