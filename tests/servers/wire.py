"""Bodies as the three wire formats have them: answers and errors."""


def completion(content="Sure, here is how.", *, finish_reason="stop", refusal=None, message=None, choice=None, **more):
    """OpenAI: a chat completion; `message` and `choice` add fields of gateways to those parts."""
    said = {"role": "assistant", "content": content, "refusal": refusal, **(message or {})}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "served-model",
        "choices": [{"index": 0, "message": said, "finish_reason": finish_reason, **(choice or {})}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        **more,
    }


def openai_error(message="no", code=None, **more):
    return {"error": {"message": message, "type": "invalid_request_error", "code": code, "param": None, **more}}


def message(*blocks, stop_reason="end_turn", **more):
    """Anthropic: a message; blocks are texts or whole blocks."""
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    return {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "served-model",
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 11, "output_tokens": 7},
        **more,
    }


def anthropic_error(message="no", type="invalid_request_error"):
    return {"type": "error", "error": {"type": type, "message": message}}


def generated(*parts, finish_reason="STOP", **more):
    """Gemini: generated content; parts are texts or whole parts."""
    content = {"role": "model", "parts": [{"text": part} if isinstance(part, str) else part for part in parts]}
    candidate = {"index": 0, "finishReason": finish_reason, **({"content": content} if parts else {}), **more}
    return {
        "candidates": [candidate],
        "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18},
        "modelVersion": "served-model",
    }


def prompt_blocked(reason, **more):
    return {"promptFeedback": {"blockReason": reason, **more}, "usageMetadata": {"promptTokenCount": 11}}


def google_error(status, message="no", word="INVALID_ARGUMENT", details=()):
    return {"error": {"code": status, "message": message, "status": word, "details": list(details)}}
