//! The little of HTTP/1.1 that a page needs, with every check before anything else is looked at.
//!
//! Who may speak: a client that knows the token, under a name of this machine (`Host`), from a page of this server
//! (`Origin`, where a browser sends one). So a page from elsewhere can neither read nor steer, whether it guesses the
//! port, rebinds a name to the loopback, or opens a socket across sites.

use std::io::{self, Read, Write};
use std::net::SocketAddr;

/// The head of a request, at most this many bytes.
const LONGEST: usize = 16 << 10;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Without the query.
    pub(crate) path: String,
    pub(crate) query: String,
    headers: Vec<(String, String)>, // names in lower case
}

impl Request {
    /// Reads a head off a stream; none if it is too long, cut short, or no HTTP.
    pub(crate) fn read(stream: &mut impl Read) -> io::Result<Option<Self>> {
        let mut bytes = Vec::new();
        let mut chunk = [0; 1024];
        loop {
            if let Some(end) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
                return Ok(Self::parse(&bytes[..end]));
            }
            if bytes.len() > LONGEST {
                return Ok(None);
            }
            let n = stream.read(&mut chunk)?;
            if n == 0 {
                return Ok(None);
            }
            bytes.extend_from_slice(&chunk[..n]);
        }
    }

    /// From the bytes before the empty line.
    pub(crate) fn parse(head: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(head).ok()?;
        let mut lines = text.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let (method, target, version) = (first.next()?, first.next()?, first.next()?);
        if version != "HTTP/1.1" || first.next().is_some() || !target.starts_with('/') {
            return None;
        }
        let mut headers = Vec::new();
        for line in lines {
            let (name, value) = line.split_once(':')?;
            if headers.len() == 100 || name.is_empty() || name.contains(char::is_whitespace) {
                return None;
            }
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Some(Self { method: method.to_owned(), path: path.to_owned(), query: query.to_owned(), headers })
    }

    /// The value of a header that is there once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(n, _)| n == name).map(|(_, v)| v.as_str());
        let first = found.next();
        if found.next().is_some() { None } else { first }
    }

    fn names(&self, name: &str) -> bool {
        self.headers.iter().any(|(n, _)| n == name)
    }

    fn token(&self) -> Option<&str> {
        self.query.split('&').find_map(|pair| pair.strip_prefix("token="))
    }
}

/// Why a request is turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    Method,
    Host,
    Origin,
    Token,
}

impl Refusal {
    /// Status and words.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Method => ("405 Method Not Allowed", "only GET is served here\n"),
            Self::Host => ("403 Forbidden", "this name is not this machine's: the Host header is refused\n"),
            Self::Origin => {
                ("403 Forbidden", "pages from elsewhere are refused: the Origin is not this server\n")
            }
            Self::Token => {
                ("403 Forbidden", "the token is missing or wrong: use the address that was printed\n")
            }
        }
    }
}

/// Who may speak.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    hosts: Vec<String>,
    token: String,
}

impl Guard {
    /// For a server at this address, under these names besides the loopback's.
    pub(crate) fn new(at: SocketAddr, token: &str, names: &[String]) -> Self {
        let port = at.port();
        let mut hosts = vec![at.to_string()];
        if at.ip().is_loopback() || at.ip().is_unspecified() {
            hosts.extend([format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")]);
        }
        hosts.extend(names.iter().map(|n| format!("{n}:{port}")));
        Self { hosts, token: token.to_owned() }
    }

    /// The checks, in the order of what they cost a stranger to learn.
    pub(crate) fn check(&self, request: &Request) -> Result<(), Refusal> {
        if request.method != "GET" {
            return Err(Refusal::Method);
        }
        let host =
            request.header("host").filter(|h| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(h)));
        let host = host.ok_or(Refusal::Host)?;
        if request.names("origin") {
            let own = |o: &str| o.eq_ignore_ascii_case(&format!("http://{host}"));
            if !request.header("origin").is_some_and(own) {
                return Err(Refusal::Origin);
            }
        }
        if request.names("sec-fetch-site")
            && !matches!(request.header("sec-fetch-site"), Some("same-origin" | "none"))
            && request.path != "/"
        {
            return Err(Refusal::Origin);
        }
        let token = request.token().filter(|t| same(t.as_bytes(), self.token.as_bytes()));
        token.map(|_| ()).ok_or(Refusal::Token)
    }
}

/// Compares without telling by time how far it went.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |d, (x, y)| d | (x ^ y)) == 0
}

/// Who may frame the page: nobody, or the notebooks of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Nobody,
    Notebooks,
}

/// An answer with a body, and headers that forbid what the page does not need.
pub(crate) fn answer(
    out: &mut impl Write,
    status: &str,
    kind: &str,
    body: &[u8],
    nonce: &str,
    framing: Framing,
    file: Option<&str>,
) -> io::Result<()> {
    let frames = match framing {
        Framing::Nobody => "'none'",
        Framing::Notebooks => "http://localhost:* http://127.0.0.1:* https://localhost:* vscode-webview:",
    };
    let mut head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nPermissions-Policy: camera=(), microphone=(), geolocation=()\r\n\
         Content-Security-Policy: default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; \
         img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {frames}\r\n",
        body.len()
    );
    if framing == Framing::Nobody {
        head.push_str("X-Frame-Options: DENY\r\nCross-Origin-Opener-Policy: same-origin\r\n");
    }
    if let Some(name) = file {
        head.extend(["Content-Disposition: attachment; filename=\"", name, "\"\r\n"]);
    }
    head.push_str("\r\n");
    out.write_all(head.as_bytes())?;
    out.write_all(body)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(lines: &[&str]) -> Request {
        Request::parse(lines.join("\r\n").as_bytes()).unwrap()
    }

    fn guard() -> Guard {
        Guard::new("127.0.0.1:4000".parse().unwrap(), "secret", &[])
    }

    #[test]
    fn the_right_address_passes() {
        for host in ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000"] {
            let host = format!("Host: {host}");
            assert_eq!(guard().check(&request(&["GET /?token=secret HTTP/1.1", &host])), Ok(()));
        }
    }

    #[test]
    fn strangers_are_turned_away() {
        let first = "GET /ws?token=secret HTTP/1.1";
        for (lines, why) in [
            (vec!["POST /?token=secret HTTP/1.1", "Host: localhost:4000"], Refusal::Method),
            (vec![first], Refusal::Host),
            (vec![first, "Host: evil.example:4000"], Refusal::Host),
            (vec![first, "Host: localhost:4001"], Refusal::Host),
            (vec![first, "Host: localhost"], Refusal::Host),
            (vec![first, "Host: localhost:4000", "Host: localhost:4000"], Refusal::Host),
            (vec![first, "Host: localhost:4000", "Origin: http://evil.example"], Refusal::Origin),
            (vec![first, "Host: localhost:4000", "Origin: null"], Refusal::Origin),
            (vec![first, "Host: localhost:4000", "Origin: https://localhost:4000"], Refusal::Origin),
            (vec![first, "Host: localhost:4000", "Sec-Fetch-Site: cross-site"], Refusal::Origin),
            (vec!["GET /ws HTTP/1.1", "Host: localhost:4000"], Refusal::Token),
            (vec!["GET /ws?token=secre HTTP/1.1", "Host: localhost:4000"], Refusal::Token),
            (vec!["GET /ws?token=secrets HTTP/1.1", "Host: localhost:4000"], Refusal::Token),
        ] {
            assert_eq!(guard().check(&request(&lines)), Err(why), "{lines:?}");
        }
    }

    #[test]
    fn what_is_no_http_is_nothing() {
        for text in [
            "",
            "GET",
            "GET / HTTP/1.0",
            "GET  / HTTP/1.1",
            "GET http://x/ HTTP/1.1",
            "GET / HTTP/1.1\r\nno colon",
        ] {
            assert_eq!(Request::parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(Request::parse(&[0xff, 0xfe]), None);
    }
}
