from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("companion", "0005_breaks"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="taken_over_after",
            field=models.PositiveIntegerField(default=None, null=True),
        ),
    ]
