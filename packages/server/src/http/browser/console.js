/**
 * The script of the signed-in pages, which all work without it. It adds copy buttons, times in the viewer's zone, keys
 * for the jump box and the drawer, suggestions in the jump box, the live tail, and progress without a reload. It sends a
 * form once, and shows the result of a change once.
 */
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  function showCopyButtons(within) {
    for (const button of all('button.copy', within)) {
      const words = button.innerHTML;
      button.hidden = false;
      button.addEventListener('click', async () => {
        const pre = button.closest('.code')?.querySelector('pre');
        try {
          await navigator.clipboard.writeText(button.dataset.text ?? pre?.textContent ?? '');
          button.textContent = 'Copied';
        } catch {
          button.textContent = 'Press Ctrl+C';
          if (pre) getSelection().selectAllChildren(pre);
        }
        setTimeout(() => {
          button.innerHTML = words;
        }, 1500);
      });
    }
  }

  const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
  const day = new Intl.DateTimeFormat('en-CA');
  const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
  const second = new Intl.DateTimeFormat('en-GB', { timeStyle: 'long' });
  const hms = { hour: '2-digit', minute: '2-digit', second: '2-digit' };
  const clock = new Intl.DateTimeFormat('en-GB', { ...hms, fractionalSecondDigits: 3 });
  const isElsewhere = new Intl.DateTimeFormat().resolvedOptions().timeZone !== 'UTC';
  /** The clock of the viewer may be wrong, and the server of a development mode may have another time. */
  const behind = (Number(document.querySelector('[data-now]')?.dataset.now) || Date.now()) - Date.now();
  const UNITS = [
    ['d', 86400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ];

  const DAY_MS = 86_400_000;

  /** Older than a day: the minute instead, which people look for. */
  function ago(ms) {
    const now = Date.now() + behind;
    if (ms <= now - DAY_MS) return `${day.format(ms)} ${minute.format(ms)}`;
    const seconds = Math.round(Math.abs(ms - now) / 1000);
    if (seconds < 1) return 'now';
    const [unit, size] = UNITS.find(([, unitSize]) => seconds >= unitSize);
    const span = `${Math.floor(seconds / size)} ${unit}`;
    return ms > now ? `in ${span}` : `${span} ago`;
  }

  const utcOf = ({ dateTime }) => `${dateTime.slice(0, 19).replace('T', ' ')} UTC`;

  /** Shows a time to the second, with UTC beside it. */
  function both(ms, time) {
    const own = `${day.format(ms)} ${second.format(ms)}`;
    const utc = utcOf(time);
    return `${own} · ${own.startsWith(utc.slice(0, 10)) ? utc.slice(11) : utc}`;
  }

  /** Shows the day of an entry of a timeline: of the first one with the zone, of others where it is another day. */
  function dayOf(ms, { dataset: { root } }) {
    if (root !== undefined) return day.format(ms) === day.format(Date.parse(root)) ? '' : day.format(ms);
    const zone = second.formatToParts(ms).find(({ type }) => type === 'timeZoneName');
    return `${day.format(ms)} ${zone.value}`;
  }

  /** The texts of times by their class. For a viewer in UTC, and without this script, those of the server stay. */
  const TEXTS = { ago, clock: (ms) => clock.format(ms), day: dayOf };

  function showTimes() {
    for (const time of all('time[datetime]')) {
      const ms = Date.parse(time.dateTime);
      if (Number.isNaN(ms)) continue;
      const text = TEXTS[time.className] ?? both;
      if (isElsewhere || text === ago) time.textContent = text(ms, time);
      time.title = `${exact.format(ms)} · ${utcOf(time)}`;
    }
  }

  function listenToKeys(jump) {
    document.addEventListener('keydown', (event) => {
      const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key === '/' && !isTyping && isPlain && jump) {
        event.preventDefault();
        jump.focus();
        jump.select();
      }
      if (event.key !== 'Escape') return;
      if (location.hash === '#nav') {
        location.hash = 'main';
        document.querySelector('.menu-button')?.focus();
      }
      for (const menu of all('details.tenant[open]')) menu.open = false;
    });
  }

  /** Fills the list of the jump box while a person types. An older response never replaces a newer one. */
  function suggest(jump, list) {
    let latest = 0;
    let timer;
    const known = new Map();
    async function load(text) {
      const mine = ++latest;
      if (!known.has(text)) {
        const response = await fetch(`${jump.form.action}/suggestions?${new URLSearchParams({ q: text })}`);
        if (!response.ok) return;
        known.set(text, await response.json());
      }
      if (mine !== latest) return;
      list.replaceChildren(
        ...known.get(text).map(({ value, label }) => Object.assign(document.createElement('option'), { value, label })),
      );
    }
    jump.addEventListener('input', () => {
      clearTimeout(timer);
      const text = jump.value.trim();
      if (text.length < 2) return list.replaceChildren();
      timer = setTimeout(() => load(text).catch(() => undefined), 150);
    });
  }

  /** Rows that a live list keeps. */
  const MAX_ROWS = 100;

  /** Adds new rows to a list while it is live. The button pauses it. */
  function follow(tail) {
    const button = tail.querySelector('button');
    const status = tail.querySelector('[role=status]');
    let source;
    let added = 0;
    function add({ data }) {
      const body = document.querySelector('.table tbody');
      // An empty list has no table.
      if (!body) return location.reload();
      const { id, html } = JSON.parse(data);
      if (document.getElementById(id)) return;
      const holder = document.createElement('tbody');
      holder.innerHTML = html;
      const row = holder.firstElementChild;
      row.classList.add('is-new');
      body.prepend(row);
      while (body.children.length > MAX_ROWS) body.lastElementChild.remove();
      tail.dataset.after = id;
      added++;
      status.textContent = `Live: ${added} new`;
      showTimes();
    }
    function start() {
      const address = new URL(tail.dataset.tail, location.href);
      if (tail.dataset.after) address.searchParams.set('after', tail.dataset.after);
      source = new EventSource(address);
      source.addEventListener('request', add);
      source.addEventListener('gap', () => {
        status.textContent = 'Live: some requests are not shown; reload the page to see all';
      });
      source.addEventListener('end', stop);
      source.addEventListener('error', () => {
        if (source.readyState === EventSource.CLOSED) stop();
        else status.textContent = 'Connecting again';
      });
      source.addEventListener('open', () => {
        status.textContent = 'Live';
      });
      button.textContent = 'Pause';
    }
    function stop() {
      source.close();
      source = undefined;
      status.textContent = 'Paused';
      button.textContent = 'Go live';
    }
    button.addEventListener('click', () => (source ? stop() : start()));
    tail.hidden = false;
    start();
  }

  const REFRESH_MS = 2000;
  /** After this many loads the person reloads the page. */
  const MAX_LOADS = 300;

  /** Loads the page again while a part of it is in progress. What a person reads or fills in stays. */
  function refresh(loads = 0) {
    if (!document.querySelector('[data-refresh]') || loads >= MAX_LOADS) return;
    setTimeout(async () => {
      await showProgress().catch(() => undefined);
      refresh(loads + 1);
    }, REFRESH_MS);
  }

  async function showProgress() {
    const main = document.getElementById('main');
    const isInUse = () => main.querySelector(':focus, details[open]') !== null;
    if (document.hidden || isInUse()) return;
    const response = await fetch(opened);
    if (!response.ok) return;
    const next = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('main');
    if (!next || isInUse()) return;
    main.replaceChildren(...next.childNodes);
    showCopyButtons(main);
    showTimes();
  }

  /** Address with the result of a change, which stays while the page shows progress. */
  const opened = location.href;

  /** Removes the result of a change from the address: a reload or a step back must not report it again. */
  function forgetResult() {
    const address = new URL(location.href);
    if (!address.searchParams.has('done')) return;
    address.searchParams.delete('done');
    history.replaceState(history.state, '', address);
  }

  const RESEND_MS = 10_000;

  /** Ignores a second click while the response to a form is on its way: the server would make the change twice. */
  function sendOnce() {
    document.addEventListener('submit', (event) => {
      const { dataset } = event.target;
      if (event.target.getAttribute('method') !== 'post') return;
      if (Date.now() - Number(dataset.sentAt ?? 0) < RESEND_MS) event.preventDefault();
      else dataset.sentAt = Date.now();
    });
    // After a step back, the page is as it was left.
    addEventListener('pageshow', () => {
      for (const form of all('form[data-sent-at]')) delete form.dataset.sentAt;
    });
  }

  const jump = document.getElementById('jump');
  const list = document.getElementById('jump-list');
  showCopyButtons(document);
  showTimes();
  setInterval(showTimes, 30_000);
  listenToKeys(jump);
  sendOnce();
  forgetResult();
  if (jump && list) suggest(jump, list);
  const tail = document.querySelector('[data-tail]');
  if (tail) follow(tail);
  refresh();
})();
