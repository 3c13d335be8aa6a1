<?php
namespace App\Console;

class Kernel extends \Illuminate\Foundation\Console\Kernel
{
}
