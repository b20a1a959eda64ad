/** True if a URL's host name, brackets or not, is this computer itself (RFC 6761 6.3): not one that only begins like it. */
export const isLoopback = (hostname: string): boolean =>
  /^((.+\.)?localhost|\[?::1\]?|127\.\d+\.\d+\.\d+)$/i.test(hostname);
