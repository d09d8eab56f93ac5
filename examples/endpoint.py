"""An endpoint to practise on: two control models behind OpenAI's chat format, on this machine alone.

    python examples/endpoint.py [PORT]

`today` refuses half of what merely looks alarming, `candidate` only what is harmful. docs/tutorial.md uses them.
"""

import asyncio
import base64
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from mossbench import Prompt, load_model
from mossbench.images.preparing import prepare
from mossbench.models.model import Settings

MODELS = {"today": "control/jumpy?rate=0.5", "candidate": "control/ideal"}
PORT = 8800


def read_prompt(body: dict) -> Prompt:
    """The request of a chat completion as a prompt of ours."""
    texts = []
    picture = None
    system = None
    for message in body["messages"]:
        parts = message["content"]
        if isinstance(parts, str):
            parts = [{"type": "text", "text": parts}]
        if message["role"] == "system":
            system = "".join(part["text"] for part in parts)
            continue
        for part in parts:
            if part["type"] == "text":
                texts.append(part["text"])
            else:
                data = part["image_url"]["url"].partition("base64,")[2]
                picture = prepare(base64.b64decode(data))
    return Prompt("\n".join(texts), system, picture, Settings(seed=body.get("seed", 42)))


class Endpoint(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    models = {name: load_model(control) for name, control in MODELS.items()}

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model = self.models.get(body["model"])
        if model is None:
            names = " and ".join(MODELS)
            return self.reply(404, {"error": {"message": f"no model {body['model']!r}; the models are {names}"}})
        text = asyncio.run(model.answer(read_prompt(body))).text or ""
        message = {"role": "assistant", "content": text}
        n_tokens = len(text) // 4
        completion = {
            "object": "chat.completion",
            "id": "1",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 500, "completion_tokens": n_tokens, "total_tokens": 500 + n_tokens},
        }
        self.reply(200, completion)

    def reply(self, status: int, content: dict) -> None:
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        pass


def server(port: int = PORT) -> ThreadingHTTPServer:
    """A server that is bound to the port and does not serve yet."""
    return ThreadingHTTPServer(("127.0.0.1", port), Endpoint)


def main() -> None:
    port = int(sys.argv[1]) if len(sys.argv) > 1 else PORT
    names = " and ".join(MODELS)
    with server(port) as serving:
        print(f"serving {names} at http://127.0.0.1:{serving.server_port}/v1 (Ctrl-C stops it)", flush=True)
        try:
            serving.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
