// What a browser or Node has and a bare ECMAScript engine lacks, as far as React, the router, the query cache and the data
// client touch it while they load or render. A render is synchronous and has no network, so timers never fire and a
// channel never delivers: work that waits for them belongs to the browser.
(() => {
  const say = globalThis.__say;
  delete globalThis.__say;

  const text = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const speak = (level) => (...args) => {
    say(level, args.map(text).join(' '));
  };
  globalThis.console = {
    debug: speak('debug'),
    log: speak('debug'),
    info: speak('info'),
    warn: speak('warn'),
    error: speak('error'),
    trace: speak('debug'),
    group() {},
    groupCollapsed() {},
    groupEnd() {},
  };

  globalThis.self = globalThis;

  let timers = 0;
  globalThis.setTimeout = () => ++timers;
  globalThis.setInterval = () => ++timers;
  globalThis.setImmediate = () => ++timers;
  globalThis.clearTimeout = () => {};
  globalThis.clearInterval = () => {};
  globalThis.clearImmediate = () => {};
  globalThis.queueMicrotask = (job) => {
    Promise.resolve().then(job);
  };
  globalThis.performance = { now: () => 0, mark() {}, measure() {} };

  globalThis.MessageChannel = class MessageChannel {
    constructor() {
      const port = () => ({ onmessage: null, postMessage() {}, close() {} });
      this.port1 = port();
      this.port2 = port();
    }
  };

  globalThis.AbortController = class AbortController {
    constructor() {
      this.signal = {
        aborted: false,
        reason: undefined,
        addEventListener() {},
        removeEventListener() {},
        throwIfAborted() {
          if (this.aborted) throw this.reason;
        },
      };
    }
    abort(reason) {
      if (this.signal.aborted) return;
      this.signal.aborted = true;
      this.signal.reason = reason ?? new Error('This operation was aborted');
    }
  };

  globalThis.TextEncoder = class TextEncoder {
    encoding = 'utf-8';
    encode(input = '') {
      const bytes = [];
      for (const char of String(input)) {
        let code = char.codePointAt(0);
        if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
        if (code < 0x80) bytes.push(code);
        else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
        else if (code < 0x10000)
          bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
        else
          bytes.push(
            0xf0 | (code >> 18),
            0x80 | ((code >> 12) & 63),
            0x80 | ((code >> 6) & 63),
            0x80 | (code & 63),
          );
      }
      return new Uint8Array(bytes);
    }
  };

  // application/x-www-form-urlencoded, as URLSearchParams reads and writes it.
  const decode = (part) => {
    const spaced = part.replace(/\+/g, ' ');
    try {
      return decodeURIComponent(spaced);
    } catch {
      return spaced;
    }
  };
  const encode = (part) =>
    encodeURIComponent(part.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'))
      .replace(/%20/g, '+')
      .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

  const owner = Symbol('url');
  class URLSearchParams {
    #list = [];
    constructor(init = '') {
      if (init && typeof init === 'object') {
        const entries = typeof init[Symbol.iterator] === 'function' ? init : Object.entries(init);
        for (const [name, value] of entries) this.#list.push([String(name), String(value)]);
        return;
      }
      const query = String(init).replace(/^\?/, '');
      for (const pair of query.split('&')) {
        if (pair === '') continue;
        const cut = pair.indexOf('=');
        const name = cut < 0 ? pair : pair.slice(0, cut);
        this.#list.push([decode(name), cut < 0 ? '' : decode(pair.slice(cut + 1))]);
      }
    }
    #changed() {
      this[owner]?.(this.toString());
    }
    get size() {
      return this.#list.length;
    }
    append(name, value) {
      this.#list.push([String(name), String(value)]);
      this.#changed();
    }
    delete(name) {
      this.#list = this.#list.filter(([key]) => key !== String(name));
      this.#changed();
    }
    get(name) {
      return this.#list.find(([key]) => key === String(name))?.[1] ?? null;
    }
    getAll(name) {
      return this.#list.filter(([key]) => key === String(name)).map(([, value]) => value);
    }
    has(name) {
      return this.#list.some(([key]) => key === String(name));
    }
    set(name, value) {
      const at = this.#list.findIndex(([key]) => key === String(name));
      if (at < 0) this.#list.push([String(name), String(value)]);
      else {
        this.#list[at] = [String(name), String(value)];
        this.#list = this.#list.filter(([key], index) => index <= at || key !== String(name));
      }
      this.#changed();
    }
    sort() {
      this.#list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      this.#changed();
    }
    forEach(visit, self) {
      for (const [name, value] of this.#list) visit.call(self, value, name, this);
    }
    *keys() {
      for (const [name] of this.#list) yield name;
    }
    *values() {
      for (const [, value] of this.#list) yield value;
    }
    *entries() {
      for (const [name, value] of this.#list) yield [name, value];
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    toString() {
      return this.#list.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
    }
  }
  globalThis.URLSearchParams = URLSearchParams;

  const absolute = /^([a-z][a-z0-9+.-]*:)\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i;
  // Characters that a path keeps as they are; everything else is percent-encoded, and what is encoded already stays.
  const tidy = (path) => encodeURI(path).replace(/%25([0-9a-f]{2})/gi, '%$1');
  const flatten = (path) => {
    const out = [];
    const parts = path.split('/').slice(1);
    parts.forEach((part, index) => {
      const last = index === parts.length - 1;
      if (part === '..') out.pop();
      else if (part !== '.') out.push(part);
      if (last && (part === '.' || part === '..')) out.push('');
    });
    return `/${out.join('/')}`;
  };

  globalThis.URL = class URL {
    #search = '';
    constructor(input, base) {
      let found = absolute.exec(String(input));
      if (!found) {
        const from = base === undefined ? null : absolute.exec(String(base));
        if (!from) throw new TypeError(`Invalid URL: ${input}`);
        found = URL.#resolve(String(input), from);
      }
      this.protocol = found[1].toLowerCase();
      this.host = found[2].toLowerCase();
      this.pathname = tidy(flatten(found[3] || '/'));
      this.search = found[4] ?? '';
      this.hash = found[5] && found[5] !== '#' ? found[5] : '';
    }
    static #resolve(input, [, protocol, host, path, query]) {
      if (input.startsWith('//')) return absolute.exec(protocol + input);
      const [, ownPath, ownQuery, hash] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(input);
      if (ownPath === '') return [null, protocol, host, path, ownQuery ?? query, hash];
      const full = ownPath.startsWith('/') ? ownPath : (path || '/').replace(/[^/]*$/, '') + ownPath;
      return [null, protocol, host, full, ownQuery, hash];
    }
    static canParse(input, base) {
      try {
        return Boolean(new URL(input, base));
      } catch {
        return false;
      }
    }
    get origin() {
      return `${this.protocol}//${this.host}`;
    }
    get hostname() {
      return this.host.replace(/:\d+$/, '');
    }
    get port() {
      return /:(\d+)$/.exec(this.host)?.[1] ?? '';
    }
    get search() {
      return this.#search;
    }
    set search(value) {
      const query = String(value).replace(/^\?/, '');
      this.#search = query === '' ? '' : `?${tidy(query)}`;
      this.searchParams = new URLSearchParams(query);
      this.searchParams[owner] = (next) => {
        this.#search = next === '' ? '' : `?${next}`;
      };
    }
    get href() {
      return this.origin + this.pathname + this.search + this.hash;
    }
    toString() {
      return this.href;
    }
    toJSON() {
      return this.href;
    }
  };

  globalThis.Headers = class Headers {
    #map = new Map();
    constructor(init = []) {
      const entries = typeof init[Symbol.iterator] === 'function' ? init : Object.entries(init);
      for (const [name, value] of entries) this.set(name, value);
    }
    get(name) {
      return this.#map.get(String(name).toLowerCase()) ?? null;
    }
    has(name) {
      return this.#map.has(String(name).toLowerCase());
    }
    set(name, value) {
      this.#map.set(String(name).toLowerCase(), String(value));
    }
    append(name, value) {
      const held = this.get(name);
      this.set(name, held === null ? value : `${held}, ${value}`);
    }
    delete(name) {
      this.#map.delete(String(name).toLowerCase());
    }
    forEach(visit) {
      for (const [name, value] of this.#map) visit(value, name, this);
    }
    [Symbol.iterator]() {
      return this.#map.entries();
    }
  };
})();
