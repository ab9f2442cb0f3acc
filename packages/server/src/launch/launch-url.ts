/**
 * Returns the URL that a browser may post a launch token to: https, or http on this machine. Returns null for any other
 * text.
 */
export function readLaunchUrl(text: string | null): URL | null {
  const url = text === null ? null : URL.parse(text);
  if (url?.username !== '' || url.password !== '' || url.hash !== '') return null;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)) ? url : null;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
