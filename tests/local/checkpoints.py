"""Tiny checkpoints with random weights, one of each family, made on disk through the real classes.

Tokenizers are made in memory: bytes and the special tokens of a family, nothing else.
"""

from pathlib import Path

import torch
import transformers as t
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

TEXT = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "max_position_embeddings": 4096,
    "bos_token_id": 0,
    "eos_token_id": 1,
    "pad_token_id": 2,
}
VISION = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4}
SPECIAL = ("<s>", "</s>", "<pad>")
CHAT = (
    "{% for m in messages %}{{ '[' + m['role'] + ']' }}{% for c in m['content'] %}"
    "{% if c['type'] == 'image' %}IMAGE{% else %}{{ c['text'] }}{% endif %}{% endfor %}{{ '\n' }}{% endfor %}"
    "[assistant]"
)
NO_SYSTEM = CHAT.replace("{% for m in messages %}", "{% for m in messages if m['role'] != 'system' %}")


def tokenizer(*more, **named):
    vocab = {token: i for i, token in enumerate((*SPECIAL, *more, *sorted(pre_tokenizers.ByteLevel.alphabet())))}
    fast = Tokenizer(models.BPE(vocab, []))
    fast.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    fast.decoder = decoders.ByteLevel()
    return t.PreTrainedTokenizerFast(
        tokenizer_object=fast,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        additional_special_tokens=list(more),
        **named,
    )


def save(folder, model, processor):
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def llava(folder, template=None):
    tok = tokenizer("<image>")
    config = t.LlavaConfig(
        text_config=t.LlamaConfig(vocab_size=len(tok), **TEXT),
        vision_config=t.CLIPVisionConfig(image_size=28, patch_size=14, projection_dim=32, **VISION),
        image_token_id=tok.convert_tokens_to_ids("<image>"),
    )
    images = t.CLIPImageProcessorPil(size={"shortest_edge": 28}, crop_size={"height": 28, "width": 28})
    processor = t.LlavaProcessor(
        images,
        tok,
        patch_size=14,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=template,
    )
    return save(folder, t.LlavaForConditionalGeneration(config), processor)


def llava_with_a_template(folder):
    return llava(folder, CHAT.replace("IMAGE", "<image>"))


def llava_without_a_system_slot(folder):
    return llava(folder, NO_SYSTEM.replace("IMAGE", "<image>"))


def _blip_parts():
    vision = {**VISION, "image_size": 28, "patch_size": 14, "initializer_range": 0.5}
    qformer = {
        "vocab_size": 300,
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 48,
        "encoder_hidden_size": 32,
        "initializer_range": 0.5,  # with the usual 0.02 next to nothing of the picture comes through so many layers
    }
    return vision, qformer, t.BlipImageProcessorPil(size={"height": 28, "width": 28})


def instructblip(folder):
    tok = tokenizer("<image>")
    vision, qformer, images = _blip_parts()
    config = t.InstructBlipConfig(
        vision_config=vision,
        qformer_config=qformer,
        text_config=t.LlamaConfig(vocab_size=len(tok), **TEXT).to_dict(),
        num_query_tokens=4,
        image_token_index=tok.convert_tokens_to_ids("<image>"),
    )
    processor = t.InstructBlipProcessor(images, tok, tokenizer(), num_query_tokens=4)
    return save(folder, t.InstructBlipForConditionalGeneration(config), processor)


def blip2(folder):
    tok = tokenizer("<image>")
    vision, qformer, images = _blip_parts()
    text = t.OPTConfig(
        vocab_size=len(tok),
        hidden_size=32,
        word_embed_proj_dim=32,
        ffn_dim=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        bos_token_id=0,
        eos_token_id=1,
        pad_token_id=2,
    )
    config = t.Blip2Config(
        vision_config=vision,
        qformer_config=qformer,
        text_config=text.to_dict(),
        num_query_tokens=4,
        image_token_index=tok.convert_tokens_to_ids("<image>"),
    )
    processor = t.Blip2Processor(images, tok, num_query_tokens=4)
    return save(folder, t.Blip2ForConditionalGeneration(config), processor)


def idefics(folder):
    tok = tokenizer("<fake_token_around_image>", "<image>", "<end_of_utterance>")
    config = t.IdeficsConfig(
        vocab_size=len(tok),
        additional_vocab_size=0,
        **{
            name: value
            for name, value in TEXT.items()
            if name not in ("num_key_value_heads", "max_position_embeddings")
        },
        cross_layer_interval=1,
        use_resampler=False,
        alpha_initializer="ones",  # zeros, the default, shut the picture out until a model is trained
        vision_config={**VISION, "image_size": 28, "patch_size": 14, "embed_dim": 32},
    )
    processor = t.IdeficsProcessor(t.IdeficsImageProcessorPil(image_size=28), tok)
    return save(folder, t.IdeficsForVisionText2Text(config), processor)


QWEN = ("<|vision_start|>", "<|image_pad|>", "<|vision_end|>", "<|video_pad|>")


def qwen_processor(tok, kind, template):
    """Without a part for videos, which needs torchvision."""
    pictures_only = type(kind.__name__, (kind,), {"check_argument_for_proper_class": lambda *_: None})
    images = t.Qwen2VLImageProcessorPil(
        patch_size=14, merge_size=2, size={"shortest_edge": 28 * 28, "longest_edge": 4 * 28 * 28}
    )
    return pictures_only(images, tok, None, chat_template=template)


def _qwen(folder, family, processor_class, model_class, vision):
    tok = tokenizer(*QWEN)
    names = ("vision_start_token_id", "image_token_id", "vision_end_token_id", "video_token_id")
    ids = {name: tok.convert_tokens_to_ids(token) for name, token in zip(names, QWEN, strict=True)}
    config = getattr(t, family)(
        text_config={
            "vocab_size": len(tok),
            "rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 2], "rope_theta": 10000.0},
            **TEXT,
        },
        vision_config=vision,
        **ids,
    )
    processor = qwen_processor(
        tok, processor_class, CHAT.replace("IMAGE", "<|vision_start|><|image_pad|><|vision_end|>")
    )
    model_class(config).save_pretrained(folder)
    processor.image_processor.save_pretrained(folder)
    tok.chat_template = processor.chat_template
    tok.save_pretrained(folder)
    return folder


def qwen2_vl(folder):
    vision = {"depth": 2, "embed_dim": 32, "hidden_size": 32, "num_heads": 4, "mlp_ratio": 2, "patch_size": 14}
    return _qwen(folder, "Qwen2VLConfig", t.Qwen2VLProcessor, t.Qwen2VLForConditionalGeneration, vision)


def qwen25_vl(folder):
    vision = {
        "depth": 2,
        "hidden_size": 32,
        "out_hidden_size": 32,
        "num_heads": 4,
        "intermediate_size": 48,
        "patch_size": 14,
    }
    return _qwen(folder, "Qwen2_5_VLConfig", t.Qwen2_5_VLProcessor, t.Qwen2_5_VLForConditionalGeneration, vision)


def idefics3(folder):
    tok = tokenizer("<fake_token_around_image>", "<image>", "<end_of_utterance>", "<global-img>")
    image = tok.convert_tokens_to_ids("<image>")
    config = t.Idefics3Config(
        text_config=t.LlamaConfig(vocab_size=len(tok), **TEXT),
        vision_config={**VISION, "image_size": 28, "patch_size": 14},
        image_token_id=image,
        scale_factor=1,
        pad_token_id=2,
    )
    images = t.Idefics3ImageProcessorPil(
        size={"longest_edge": 28}, max_image_size={"longest_edge": 28}, do_image_splitting=False
    )
    processor = t.Idefics3Processor(images, tok, image_seq_len=4, chat_template=CHAT.replace("IMAGE", "<image>"))
    return save(folder, t.Idefics3ForConditionalGeneration(config), processor)


FAMILIES = {
    "llava": llava,
    "llava with a chat template": llava_with_a_template,
    "instructblip": instructblip,
    "blip-2": blip2,
    "idefics": idefics,
    "idefics3": idefics3,
    "qwen2_vl": qwen2_vl,
    "qwen2_5_vl": qwen25_vl,
}


def make(family: str, folder: Path) -> Path:
    torch.manual_seed(1)
    return FAMILIES[family](folder)
