"""Reads a log of `bricks` with the format's own library: container, index, schemas, messages."""

import json
import sys

from mcap.reader import make_reader

with open(sys.argv[1], "rb") as file:
    reader = make_reader(file, validate_crcs=True)
    summary = reader.get_summary()
    topics = {channel.topic: channel.id for channel in summary.channels.values()}
    assert set(topics) == {"/tf", "/bodies", "/contacts", "/stats"}, topics
    schemas = {schema.name for schema in summary.schemas.values()}
    assert schemas == {"foxglove.FrameTransforms", "foxglove.SceneUpdate", "gudgeon.Stats"}, schemas
    for schema in summary.schemas.values():
        assert schema.encoding == "jsonschema" and json.loads(schema.data)["type"] == "object"
    counts = summary.statistics.channel_message_counts
    assert counts[topics["/stats"]] == 601, counts
    seen = dict.fromkeys(topics, 0)
    for schema, channel, message in reader.iter_messages():
        seen[channel.topic] += 1
        content = json.loads(message.data)
        wanted = json.loads(schema.data)["properties"]
        assert set(content) == set(wanted), (channel.topic, set(content) ^ set(wanted))
    assert seen == {topic: counts[number] for topic, number in topics.items()}, (seen, counts)
    # through the index: from the middle on
    late = list(reader.iter_messages(topics=["/tf"], starting_at=2_000_000_000))
    assert 0 < len(late) < seen["/tf"]
print(f"mcap library: {sum(seen.values())} messages in {summary.statistics.chunk_count} chunks read back")
