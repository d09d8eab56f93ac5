"""Parts of patterns with a name: `{cannot}` in a pattern stands for the words of that name below."""

import re

LISTS = {
    "i": "i | we | this assistant | the assistant | this bot | this chatbot | this service",
    "cannot": """
        can't | cannot | can not | cant | couldn't | won't | will not | wont | wouldn't | would not | shan't
        | am not able to | are not able to | 'm not able to | 're not able to | am unable to | are unable to
        | 'm unable to | 're unable to | was unable to | am not going to | 'm not going to | 're not going to
        | am not allowed to | 'm not allowed to | am not permitted to | 'm not permitted to | am not willing to
        | 'm not willing to | am not in a position to | 'm not in a position to | am not prepared to
        | 'm not prepared to | am not here to | 'm not here to | don't want to | do not want to
        | don't wish to | do not wish to | don't feel able to | don't think i can | don't think i should
        | don't do | have no way to | refuse to | decline to | must not""",
    "softly": """
        really | simply | also | just | unfortunately | honestly | actually | currently | sadly | definitely
        | certainly | still | therefore | personally | in good conscience""",
    "help": """
        help | assist | answer | fulfil | fulfill | comply | continue | proceed | participate | engage | respond
        | reply | discuss | support | oblige | accommodate | complete | process | satisfy | provide | offer | give
        | create | generate | write | produce | share | say | describe | identify | encourage | promote
        | facilitate | endorse | condone | advise | suggest | recommend | draft | design | rate | rank | comment
        | make fun | take part | take a stand | take sides | be part | be involved | be of help | be of assistance
        | go into | go along | go there | look into | look at | touch | talk about | speak to | speak about | walk you
        | put words | do that | do this | do it | do such | play along | guess | speculate | judge | verify""",
    "service": """
        provide | provides | offer | write | help | make | give | assist | fabricate | rate | judge | guess | discuss
        | share | identify | pass | hand out | transcribe | answer | engage | speculate | produce | create | generate
        | comment | diagnose | recommend | support | do | play | take | geolocate | comply | describe | draft
        | endorse""",
    "helping": """
        helping | writing | guessing | doing | giving | answering | sharing | saying | describing | naming | rating
        | judging | commenting | discussing | making | taking | playing | touching | providing | joining | going there
        | reading | transcribing | identifying | ranking | speculating | comfortable | equipped | designed
        | programmed
        | built | trained | capable | qualified | licensed | permitted | allowed | able | here for""",
    "idiom": """
        help but | wait | believe | imagine | thank | stress | emphasize | emphasise | overstate | deny | complain | lie
        | say enough | recommend it | recommend this enough | praise | resist | stop | blame | see why | think of
        | go wrong | take credit | forget | help laughing | help smiling | help wondering""",
    "this": """
        that | this | it | your request | this request | that request | the request | your question | this question
        | the question | this one | that one | this image | the image | this topic | that topic | this task
        | this matter
        | this query | such requests | these requests | anything like that | anything like this""",
    "request": """
        request | question | inquiry | submission | query | prompt | message | response | answer | assistance
        | content | task | topic | reply""",
    "refused": """
        processed | answered | fulfilled | accepted | declined | denied | refused | rejected | blocked | permitted
        | provided | given | accommodated | completed | unavailable | withheld | suppressed | filtered | flagged
        | not allowed | not supported | not possible""",
    "rules": """
        guidelines | guideline | policy | policies | principles | programming | terms | terms of use | rules
        | safety settings | instructions | ethics | values | settings""",
    "image": """
        image | images | picture | pictures | photo | photos | photograph | attachment | attachments | file | files""",
    "see": "see | view | process | analyze | analyse | interpret | open | access | perceive | look at | read | inspect",
    "people": """
        people | person | persons | individual | individuals | someone | anyone | anybody | who | faces | face | him
        | her | them | this man | this woman | real people | private individuals | public figures""",
    "opinion": """
        opinion | opinions | belief | beliefs | feelings | emotions | preference | preferences | view | views
        | stance | consciousness | thoughts | sides | personality""",
    "wrong": """
        illegal | unethical | immoral | inappropriate | harmful | dangerous | offensive | disrespectful
        | unacceptable | wrong | discriminatory | hateful | insensitive | irresponsible | unlawful | against the law
        | a crime | a serious crime | unsafe | cruel | hurtful""",
    "harm": """
        violence | violent | hate | hatred | harm | harmful | stereotypes | stereotype | discrimination | illegal
        | dangerous | unsafe | unethical | self-harm | abuse | negative | negativity | misinformation | cruelty""",
    "professional": """
        professional | professionals | expert | doctor | lawyer | attorney | therapist | counselor | counsellor
        | police | authorities | hotline | helpline | emergency services | specialist | pharmacist
        | physician | veterinarian
        | trusted adult | trusted person | someone you trust""",
}


def _choices(words: str) -> str:
    return "(?:" + "|".join(re.escape(" ".join(word.split())) for word in words.split("|")) + ")"


PARTS = {name: _choices(words) for name, words in LISTS.items()} | {
    "cannot": f"(?: ?{_choices(LISTS['cannot'])})",
    "softly": f"(?: {_choices(LISTS['softly'])})*",
    "some words": r"(?: [\w'-]+){0,3}?",
    "end": r"(?= *(?:[.!…:]|$|,? (?:but|so|as|because|since|for)\b))",
}
_PART = re.compile(r"\{([a-z ]+)\}")


def filled(pattern: str) -> str:
    """The pattern with its parts in place, as a regular expression."""
    return _PART.sub(lambda part: PARTS[part[1]], pattern)
