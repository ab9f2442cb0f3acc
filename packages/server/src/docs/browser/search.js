/**
 * The search of the documentation: a list below the search box while a person types, and the results on the search page, which
 * a server fills in without it. The index is loaded with the first use.
 */
const box = document.getElementById('jump');
const found = document.getElementById('found');
const results = document.getElementById('results');
const root = new URL(found.dataset.root, location.href);

/** Results below the search box, and on the search page. */
const FEW = 8;
const MANY = 50;

let loading;
function load() {
  loading ??= Promise.all([import(new URL('minisearch.js', root).href), fetch(new URL('search-index.json', root))])
    .then(async ([{ default: MiniSearch }, response]) => {
      const { options, stopWords, index } = await response.json();
      return { stopWords, index: MiniSearch.loadJSON(index, options) };
    })
    .catch((error) => {
      // The next letter tries again.
      loading = undefined;
      throw error;
    });
  return loading;
}

function listOf(hits) {
  const list = document.createElement('ul');
  list.className = 'hits';
  for (const { title, page, address, start } of hits) {
    const link = Object.assign(document.createElement('a'), { href: new URL(address, root).href });
    const name = Object.assign(document.createElement('b'), { textContent: title });
    const text = Object.assign(document.createElement('span'), {
      textContent: page === title ? start : `${page} · ${start}`,
    });
    link.append(name, text);
    const item = document.createElement('li');
    item.append(link);
    list.append(item);
  }
  return list;
}

async function show(text, place, limit) {
  const { stopWords, index } = await load();
  const words = text.split(/\s+/);
  const asked = words.filter((word) => !stopWords.includes(word.toLowerCase()));
  const query = (asked.length === 0 ? words : asked).join(' ');
  const hits = index.search(query, { boostDocument: (_id, _term, { weight }) => weight }).slice(0, limit);
  const none = Object.assign(document.createElement('p'), { textContent: `Nothing found for “${text}”.` });
  place.replaceChildren(hits.length === 0 ? none : listOf(hits));
}

box.addEventListener('focus', () => load().catch(() => undefined), { once: true });
box.addEventListener('input', async () => {
  const text = box.value.trim();
  found.hidden = text.length < 2;
  if (found.hidden) return;
  try {
    await show(text, found, FEW);
  } catch {
    // Enter still opens the search page.
    found.hidden = true;
  }
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !found.hidden) {
    found.hidden = true;
    box.focus();
  }
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const links = [...found.querySelectorAll('a')];
    const i = links.indexOf(document.activeElement);
    if (found.hidden || links.length === 0 || (i < 0 && document.activeElement !== box)) return;
    event.preventDefault();
    (links[i + (event.key === 'ArrowDown' ? 1 : -1)] ?? box).focus();
  }
});
document.addEventListener('click', (event) => {
  if (!box.form.contains(event.target)) found.hidden = true;
});

const submitted = (new URLSearchParams(location.search).get('q') ?? '').trim().slice(0, box.maxLength);
if (results && submitted !== '') {
  box.value = submitted;
  if (results.childElementCount === 0) show(submitted, results, MANY).catch(() => undefined);
}
