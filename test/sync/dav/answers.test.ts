import assert from 'node:assert/strict';
import { DuelineError } from '../../../src/core/kernel/errors';
import { toDuelineError } from '../../../src/sync/accounts/toDuelineError';
import { formatColor, parseColor } from '../../../src/sync/dav/calendarColor';
import { httpError } from '../../../src/sync/dav/httpErrors';
import { transportError } from '../../../src/sync/dav/transportErrors';
import { childOf, parseXml, parseXmlInSlices } from '../../../src/sync/dav/xml';
import { syncMessage } from '../../../src/sync/messages';
import { headerEtag, propertyEtag } from '../../../src/sync/remote/etags';
import { canonicalPath, lastSegment, toHref, toUrl, withoutSlash } from '../../../src/sync/remote/hrefs';
import { RemoteError } from '../../../src/sync/remote/remote';

const url = 'https://dav.example.com/home/';
const refusal = (status: number, text = '', method = 'PUT', headers: Record<string, string> = {}, inside?: number) =>
  httpError({ status, text, method, url, headers: new Headers(headers) }, inside);

describe('an error response', () => {
  const kinds: readonly (readonly [status: number, kind: string, method?: string, text?: string])[] = [
    [401, 'auth'],
    [400, 'rejected'],
    [400, 'uidTaken', 'PUT', 'Calendar object with uid already exists in this calendar collection.'],
    [400, 'rejected', 'PROPFIND', 'The uid already exists'],
    [403, 'rejected'],
    [403, 'readOnly', 'PUT', '<d:error xmlns:d="DAV:"><d:need-privileges/></d:error>'],
    [403, 'badToken', 'REPORT', '<d:error xmlns:d="DAV:"><d:valid-sync-token/></d:error>'],
    [409, 'uidTaken', 'PUT', '<e xmlns="DAV:"><no-uid-conflict xmlns="urn:ietf:params:xml:ns:caldav"/></e>'],
    [404, 'gone'],
    [410, 'gone'],
    [405, 'unsupported'],
    [501, 'unsupported'],
    [409, 'noParent'],
    [409, 'rejected', 'MKCALENDAR'],
    [412, 'conflict'],
    [413, 'tooLarge'],
    [507, 'tooLarge'],
    [423, 'locked'],
    [429, 'busy'],
    [503, 'busy'],
    [500, 'server'],
    [402, 'rejected'],
    [302, 'protocol'],
  ];
  for (const [status, kind, method, text] of kinds) {
    it(`${status} to ${method ?? 'PUT'}${text ? ` with «${text.slice(0, 40)}»` : ''} is ${kind}`, () => {
      const error = refusal(status, text, method);
      assert.equal(error.kind, kind);
      assert.match(error.message, /dav\.example\.com/);
      assert.match(error.message, /\.$|Server message/);
    });
  }

  it('includes the server’s message without markup, but not from a page', () => {
    assert.equal(refusal(500, '  No\n room ').details.serverMessage, 'No room');
    assert.equal(refusal(500, '<html><script>x<</script><b>Oops</b><br></html>').details.serverMessage, 'Oops');
    const sabre = '<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:message>Full</s:message></d:error>';
    assert.match(refusal(507, sabre).message, /Server message: Full$/);
    const long = refusal(500, 'x'.repeat(500)).details.serverMessage ?? '';
    assert.equal(long.length, 300);
    assert.equal(long.at(-1), '…');
  });

  it('is read up to a limit, however long and broken its page', () => {
    for (const page of ['<', '<script>', '< '].map(piece => `<html>No room${piece.repeat(2_000_000)}`))
      assert.match(refusal(500, page).details.serverMessage ?? '', /^No room/);
  });

  it('is classified by the status inside a 207', () =>
    assert.equal(refusal(207, '', 'PROPPATCH', {}, 403).kind, 'rejected'));

  it('leaves a write in doubt if the server failed, perhaps after it, or a gateway lost the response', () => {
    for (const status of [500, 502, 503, 504]) assert.equal(refusal(status).details.unsure, true);
    for (const status of [400, 412, 423, 507]) assert.equal(refusal(status).details.unsure, undefined);
  });

  it('is read as a page if it is far longer than any error', () => {
    const long = `<d:error xmlns:d="DAV:"><d:need-privileges/><m>Full</m>${' '.repeat(2 ** 20)}</d:error>`;
    const error = refusal(403, long);
    assert.deepEqual([error.kind, error.details.serverMessage], ['rejected', 'Full']);
  });

  it('gives the time to wait, in seconds or by the server’s own clock, within limits', () => {
    const wait = (headers: Record<string, string>) => refusal(503, '', 'PUT', headers).details.retryAfterMs;
    assert.equal(wait({ 'retry-after': '120' }), 120_000);
    assert.equal(wait({ 'retry-after': '0' }), 5_000);
    const date = 'Sat, 21 Nov 2026 09:30:00 GMT';
    assert.equal(wait({ 'retry-after': 'Sat, 21 Nov 2026 09:31:00 GMT', date }), 60_000);
    assert.equal(wait({ 'retry-after': 'soon', date }), undefined);
    // The clock of this computer may be hours off.
    assert.equal(wait({ 'retry-after': 'Sat, 21 Nov 2026 09:31:00 GMT' }), undefined);
    assert.equal(wait({}), undefined);
  });
});

describe('a request without a response', () => {
  const lost = (error: unknown, method = 'GET', why = { timedOut: false, cancelled: false }) =>
    transportError(error, new URL(url), method, why);

  it('is reported by its deepest cause', () => {
    const failed = (cause: unknown) => Object.assign(new TypeError('fetch failed'), { cause });
    const coded = (code: string) => Object.assign(new Error(code), { code });
    assert.match(lost(failed(coded('ENOTFOUND'))).message, /unknown host name/);
    assert.match(lost(failed(coded('EAI_AGAIN'))).message, /unknown host name/);
    assert.match(lost(failed(coded('ECONNREFUSED'))).message, /ECONNREFUSED/);
    assert.match(lost(failed(new AggregateError([coded('ETIMEDOUT')]))).message, /ETIMEDOUT/);
    const worded = new RemoteError('offline', syncMessage('proxyUnreachable', 'p'), { cause: coded('EPIPE') });
    assert.match(lost(failed(worded)).message, /\(EPIPE\)/);
    assert.match(lost('a string').message, /no connection/);
    assert.equal(lost(failed(coded('CERT_HAS_EXPIRED'))).kind, 'tls');
    const known = new RemoteError('conflict', 'x');
    assert.equal(lost(known), known);
  });

  it('is reported as a proxy that requires a login if that is the deepest cause', () => {
    const refused = new Error('Proxy response (407) !== 200 when HTTP Tunneling');
    const failed = Object.assign(new TypeError('fetch failed'), { cause: refused });
    assert.equal(lost(failed).kind, 'proxy');
    assert.equal(lost(failed).details.status, 407);
    assert.match(lost(failed).message, /http\.proxy/);
  });

  it('leaves in doubt whether it changed something', () => {
    const why = { timedOut: true, cancelled: false };
    assert.equal(lost('', 'GET', why).kind, 'timeout');
    assert.equal(lost('', 'GET', why).details.unsure, false);
    assert.equal(lost('', 'PUT', why).details.unsure, true);
    const cancelled = lost('', 'DELETE', { timedOut: true, cancelled: true });
    assert.equal(cancelled.kind, 'cancelled');
    assert.equal(cancelled.details.unsure, true);
  });

  it('becomes an error of the engine', () => {
    const own = new DuelineError('invalid', 'x');
    assert.equal(toDuelineError(own), own);
    assert.equal(toDuelineError(new RemoteError('offline', 'x')).kind, 'offline');
    assert.equal(toDuelineError(new RemoteError('locked', 'x')).kind, 'server');
    assert.equal(toDuelineError(new Error('x')).message, 'x');
    assert.equal(toDuelineError('x').message, 'x');
  });
});

describe('XML of servers', () => {
  it('may start with a byte order mark and name its namespace DAV', () => {
    const root = parseXml('\ufeff<multistatus xmlns="DAV"><response>a<![CDATA[b]]></response></multistatus>');
    assert.equal(childOf(root, '{DAV:}response')?.text, 'ab');
  });

  it('may have an emoji as references to two surrogates', () => {
    assert.equal(parseXml('<a b="&#55356;&#57151;">&#55356;&#57151; &#252;&#127807;</a>').text, '🌿 ü🌿');
    for (const half of ['&#55356;', '&#57151;&#55356;'])
      assert.throws(() => parseXml(`<a>${half}</a>`), { kind: 'protocol' }, half);
  });

  it('is read in slices with the same result, and lets others run between them', async () => {
    const cell = 'a&amp;b\r\n<![CDATA[<c>]]>🌿';
    const long = `\ufeff<r xmlns="DAV:">${`<x y="ü">${cell}</x>`.repeat(20_000)}</r>`;
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const read = await parseXmlInSlices(long);
    clearInterval(timer);
    assert.deepEqual(read, parseXml(long));
    assert.ok(turns > 0, 'nobody else had a turn');
    await assert.rejects(parseXmlInSlices(long.slice(0, -1)), { kind: 'protocol' });
  });

  describe('is read the same whether its elements are simple or not', () => {
    // Behind a comment, all is for the reader that knows the whole of XML.
    const both = (inside: string, root = 'm xmlns="DAV:" xmlns:C="c" xmlns:d="DAV:"') => {
      const read = (text: string) => {
        try {
          return parseXml(text);
        } catch (error) {
          return (error as RemoteError).kind;
        }
      };
      const end = root.split(' ')[0];
      return [read(`<${root}>${inside}</${end}>`), read(`<${root}><!-- -->${inside}</${end}>`)] as const;
    };
    const plain = '<response><href>/a/b.ics</href><d:x/><C:y />t&amp;&lt;&gt;&quot;&apos;&#13;\n</response>';
    const pieces = [
      ...[
        plain,
        `${plain} text ${plain}&amp;${plain}`,
        '<a><b>c</b>d<e></e>f</a>',
        '<a>\r\nb\rc\r\n</a>',
        '<a>]]&gt;</a>',
      ],
      ...[
        '<a>&#x41;&#66;</a>',
        '<a b="c">d</a>',
        '<a><![CDATA[<b>]]></a>',
        '<a ></a >',
        '<a\n/>',
        '<a>é🌿</a>',
        '<é/>',
      ],
      ...[
        '<a></b>',
        '<a><b></a></b>',
        '</a>',
        '<a>',
        '<a>&nbsp;</a>',
        '<a>& b</a>',
        '<a>]]></a>',
        '<x:a/>',
        '<a:b:c/>',
      ],
      ...[
        '<a/b>',
        '< a/>',
        '<1/>',
        '</a/>',
        '<a//>',
        '<>',
        '<toString:a/>',
        '<__proto__:a/>',
        '<xmlns:a/>',
        '<xml:a/>',
      ],
      ...[
        '<a>b > c</a>',
        '<a>b < c</a>',
        '<a',
        '<!ENTITY a>',
        '<?b c?>',
        '<a><!-- > --></a>',
        '<:a/>',
        '<a:/>',
        '<m></m>',
      ],
    ];
    for (const piece of pieces)
      it(JSON.stringify(piece), () => {
        for (const inside of [piece, plain + piece + plain, `${piece}<a b="c"/>${piece}`, `<w>${piece}</w>`]) {
          const [one, other] = both(inside);
          assert.deepEqual(one, other);
        }
        assert.deepEqual(...both(piece, 'm'));
      });

    it('in slices that end anywhere', () => {
      const [one, other] = both(plain.repeat(3000));
      assert.ok(typeof one === 'object' && one.children.length === 3000);
      assert.deepEqual(one, other);
      for (const length of [65_000, 66_000, 200_000]) {
        const [large, same] = both(`${plain}<a>${'b'.repeat(length)}</a>${plain}`);
        assert.ok(typeof large === 'object' && large.children.length === 3);
        assert.deepEqual(large, same);
      }
    });

    it('however deep it is', () => {
      for (const depth of [19, 20, 21, 198, 199, 200]) {
        const [one, other] = both(`${'<a>'.repeat(depth)}b${'</a>'.repeat(depth)}`);
        assert.deepEqual(one, other);
      }
    });
  });

  it('is refused if it is empty, broken or has a document type', () => {
    for (const text of ['', '<a>', '<!DOCTYPE a><a/>', '<a></b>'])
      assert.throws(() => parseXml(text), { kind: 'protocol' });
  });

  it('is refused if it is malformed in ways that the parser does not notice', () => {
    const broken = [
      '<a/><b/>',
      '<a/><![CDATA[b]]>',
      '<a>\0</a>',
      '<a b="" b=""/>',
      '<!ELEMENT a><a/>',
      '<constructor:a/>',
    ];
    // Text with a `]]>` of its own that was put into CDATA as it is.
    for (const text of [...broken, '<a>]]></a>', '<a><![CDATA[b]]>c]]></a>'])
      assert.throws(() => parseXml(text), { kind: 'protocol' }, text);
    const allowed = parseXml('<a b="]]>" c="]]&gt;"><!-- ]]> -->d]]&gt;<![CDATA[]]]]><![CDATA[>]]></a>');
    assert.equal(allowed.text, 'd]]>]]>');
  });

  it('has normalized line ends, even if a slice ends between CR and LF', () => {
    const start = '<a>'.length;
    const text = (blanks: number) => parseXml(`<a>${' '.repeat(blanks - start)}\r\nb\rc</a>`).text.trimStart();
    for (const at of [65_534, 65_535, 65_536]) assert.equal(text(at), 'b\nc');
    assert.equal(parseXml(`<a>${'\r\n'.repeat(65_536)}</a>`).text.length, 65_536);
    assert.equal(parseXml(`<aa>${'\r\n'.repeat(65_536)}</aa>`).text.length, 65_536);
  });

  it('is refused early if it is nested without end', () => {
    const deep = '<a>'.repeat(1_000_000);
    assert.throws(() => parseXml(deep), { kind: 'protocol' });
    assert.equal(refusal(500, deep).kind, 'server');
    assert.equal(parseXml(`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`).name, '{}a');
    const wide = `<a>${'<b/>'.repeat(100)}</a>`;
    assert.throws(() => parseXml(wide, 100), { kind: 'protocol' });
    assert.equal(parseXml(wide, 101).children.length, 100);
  });

  it('is refused if it has attributes without end', () => {
    const some = (count: number) => Array.from({ length: count }, (_, at) => ` b${at}=""`).join('');
    assert.throws(() => parseXml(`<a${some(501)}/>`), { kind: 'protocol' });
    assert.equal(Object.keys(parseXml(`<a${some(500)}/>`).attributes).length, 500);
    const wide = `<a>${'<b c="" d=""/>'.repeat(50)}</a>`;
    assert.throws(() => parseXml(wide, 99), { kind: 'protocol' });
    assert.equal(parseXml(wide, 100).children.length, 50);
    const spaces = (count: number) => Array.from({ length: count }, (_, at) => ` xmlns:b${at}="c"`).join('');
    assert.throws(() => parseXml(`<a${spaces(26)}><a${spaces(26)}/></a>`), { kind: 'protocol' });
    assert.equal(parseXml(`<a>${`<a${spaces(50)}/>`.repeat(5)}</a>`).children.length, 5);
  });
});

describe('tags, addresses and colors', () => {
  it('quotes tags and drops what servers refuse', () => {
    assert.equal(propertyEtag(' "a\n€" '), '"aâ\x82¬"');
    assert.equal(new Headers({ 'If-Match': propertyEtag('"€\0"')! }).get('if-match'), headerEtag('"â\x82¬"'));
    assert.equal(propertyEtag(' abc '), '"abc"');
    assert.equal(propertyEtag('W/"abc"'), '"abc"');
    assert.equal(propertyEtag(' '), undefined);
    assert.equal(headerEtag('"abc"'), '"abc"');
    for (const value of ['W/"abc"', '"abc-gzip"', '"abc;br"', '', null]) assert.equal(headerEtag(value), null);
  });

  it('equates all spellings of one address', () => {
    assert.equal(canonicalPath('/a%40b/%c3%a4 x/'), '/a@b/%C3%A4%20x/');
    assert.equal(canonicalPath('/%zz/'), '/%zz/');
    assert.equal(withoutSlash('/home/a//'), '/home/a');
    const endless = `${'/'.repeat(1_000_000)}a`;
    assert.equal(withoutSlash(endless), endless);
    assert.equal(toHref('b.ics?x=1', 'https://a.example/home/', 'https://a.example'), '/home/b.ics?x=1');
    assert.equal(toHref('https://b.example/x', url, 'https://a.example'), 'https://b.example/x');
    assert.equal(toUrl('/x', 'https://a.example'), 'https://a.example/x');
    assert.equal(toUrl('https://b.example/x', 'https://a.example'), 'https://b.example/x');
    assert.equal(lastSegment('/home/my%20list/'), 'my list');
    assert.equal(lastSegment('/home/100%/'), '100%');
  });

  it('reads colors of three to eight digits and writes eight', () => {
    assert.equal(parseColor('#abc'), parseColor('#aabbcc'));
    assert.equal(parseColor('#abc8'), parseColor('#aabbcc88'));
    assert.equal(parseColor(' #FF0000 '), 0xffff0000 | 0);
    for (const text of ['red', '#12345', undefined]) assert.equal(parseColor(text), null);
    assert.equal(formatColor(parseColor('#11223344')!), '#11223344');
  });
});
