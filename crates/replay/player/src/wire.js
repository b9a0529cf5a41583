// The socket to a simulation that runs: frames and words in, orders out; comes back when it is lost.

/** ms until it tries again. */
const AGAIN = 700;

export class Wire {
  /** `on`: frame(buffer), words(object), lost(), back(). */
  constructor(on) {
    this.on = on;
    this.errors = [];
    this.open();
  }

  open() {
    const token = new URLSearchParams(location.search).get("token") ?? "";
    this.socket = new WebSocket(`ws://${location.host}/ws?token=${encodeURIComponent(token)}`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => this.on.back();
    this.socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.on.frame(data);
      else this.on.words(JSON.parse(data));
    };
    this.socket.onclose = () => {
      this.on.lost();
      setTimeout(() => this.open(), AGAIN);
    };
  }

  get ready() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  send(order) {
    if (this.ready) this.socket.send(JSON.stringify(order));
  }
}
