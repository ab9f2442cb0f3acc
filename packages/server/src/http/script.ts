/**
 * The one script of the signed-in pages. Every page works without it. It adds copy buttons, times in the viewer's zone,
 * keys for the jump box and the drawer, and the live tail.
 */
export const SCRIPT = `'use strict';
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  for (const button of all('button.copy')) {
    const words = button.innerHTML;
    button.hidden = false;
    button.addEventListener('click', async () => {
      const text = button.dataset.text ?? button.closest('.code')?.querySelector('pre')?.textContent ?? '';
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = 'Copied';
      } catch {
        button.textContent = 'Press Ctrl+C';
        const pre = button.closest('.code')?.querySelector('pre');
        if (pre) getSelection().selectAllChildren(pre);
      }
      setTimeout(() => { button.innerHTML = words; }, 1500);
    });
  }

  const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
  const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' })
    .formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const UNITS = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];
  const ago = (ms) => {
    const seconds = Math.round(Math.abs(ms - Date.now()) / 1000);
    if (seconds < 1) return 'now';
    const [unit, size] = UNITS.find(([, size]) => seconds >= size);
    const span = Math.floor(seconds / size) + ' ' + unit;
    return ms > Date.now() ? 'in ' + span : span + ' ago';
  };
  const showTimes = () => {
    for (const time of all('time[datetime]')) {
      const at = new Date(time.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      const utc = time.dateTime.slice(0, 19).replace('T', ' ') + ' UTC';
      if (time.classList.contains('ago')) time.textContent = ago(at.getTime());
      time.title = exact.format(at) + ' ' + zone + ' · ' + utc;
    }
  };
  showTimes();
  setInterval(showTimes, 30000);

  const jump = document.getElementById('jump');
  document.addEventListener('keydown', (event) => {
    const typing = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey && jump) {
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
})();
`;
