"""What of a page is taken into another."""

import pytest

from mossbench.look.embedding import main_part


@pytest.mark.parametrize(
    ("page", "taken"),
    [
        ("<p>no main</p>", ""),
        ("<p>before</p><main><p>in</p></main><p>after</p>", "<p>in</p>"),
        ("<main>a &lt;b&gt; &amp;amp; c</main>", "a &lt;b&gt; &amp;amp; c"),
        ("<main><p>open<b>more</main>", "<p>open<b>more</b></p>"),
        ("<main></div></p>x</main>", "x"),
        ("<main><div><b>x</div>y</main>", "<div><b>x</b></div>y"),
        ('<main><a href="#part-1" onclick="x()">to</a></main>', '<a href="#part-1">to</a>'),
        ('<main><a href="//evil.example">to</a></main>', "<a>to</a>"),
        (
            '<main><img src="data:image/svg+xml;base64,AA==" alt="a"></main>',
            '<img src="data:image/svg+xml;base64,AA==" alt="a">',
        ),
        ('<main><img src="data:text/html;base64,AA=="></main>', "<img>"),
        ('<main><p class="x&quot; onclick=&quot;y">a</p></main>', '<p class="x&quot; onclick=&quot;y">a</p>'),
        ("<main><svg><p>x</p><svg></svg></svg>y</main>", "y"),
        ("<main><script><p>x</p></script>y<style>p{}</style></main>", "y"),
        ("<main><scr<script>ipt>x</main>", "ipt&gt;x"),
        ('<main><div class="wide scroll">x</div></main>', '<div class="wide scroll" tabindex="0">x</div>'),
        ("<main>one</main><main>two</main>", "one"),
    ],
)
def test_only_what_is_known_to_be_harmless_is_taken(page, taken):
    assert main_part(page) == taken
